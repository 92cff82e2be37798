import { JsonNumber } from "../../json";
import { convert } from "./conversion";
import { ConversionError } from "./conversion-type";
import { formatNum, parseNum } from "./number-text";
import { set } from "./sets";
import { isCollection, isPrimitive, type Type } from "./types";
import {
  bool,
  list,
  map,
  NULL,
  nullOf,
  number,
  object,
  objectOfType,
  string,
  tuple,
  type Value,
} from "./value";

/** A JSON number as a value: a JS number stands for its shortest decimal, as in the JSON source. */
function jsonNumber(json: number | JsonNumber): Value {
  const text = json instanceof JsonNumber ? json.text : String(json);
  if (typeof json === "number" && Number.isSafeInteger(json)) return number(json);
  const parsed = parseNum(text);
  if (parsed === undefined) throw new TypeError(`${text} is not a number`);
  return number(parsed);
}

/** JSON with implied types: arrays become tuples, objects stay objects, null has no type. */
export function fromJsonDynamic(json: unknown): Value {
  if (json === null || json === undefined) return NULL;
  if (typeof json === "string") return string(json);
  if (typeof json === "boolean") return bool(json);
  if (typeof json === "number" || json instanceof JsonNumber) return jsonNumber(json);
  if (Array.isArray(json)) return tuple(json.map(fromJsonDynamic));
  const entries = Object.entries(json as Record<string, unknown>);
  return object(new Map(entries.map(([key, one]) => [key, fromJsonDynamic(one)])));
}

/**
 * JSON as a value of a type, which is the form in states and plans. An absent attribute is null.
 * @throws ConversionError with the path
 */
export function fromJson(json: unknown, type: Type): Value {
  return read(json, type, []);
}

function read(json: unknown, type: Type, path: readonly (string | number)[]): Value {
  if (type.kind === "dynamic") return fromJsonDynamic(json);
  if (json === null || json === undefined) return nullOf(type);
  if (isPrimitive(type)) return readPrimitive(json, type, path);
  if (type.kind === "object" || type.kind === "map") {
    if (typeof json !== "object" || Array.isArray(json))
      throw new ConversionError("an object is required", path);
    return readEntries(json as Record<string, unknown>, type, path);
  }
  if (!Array.isArray(json)) throw new ConversionError("an array is required", path);
  if (type.kind === "tuple") {
    if (json.length !== type.elements.length) throw new ConversionError("wrong number of elements", path);
    return tuple(json.map((one, index) => read(one, type.elements[index]!, [...path, index])));
  }
  const elements = json.map((one, index) => read(one, type.element, [...path, index]));
  return type.kind === "set" ? set(elements, type.element) : list(elements, type.element);
}

function readEntries(json: Record<string, unknown>, type: Type, path: readonly (string | number)[]): Value {
  const entries = new Map<string, Value>();
  if (type.kind === "object") {
    for (const [name, one] of type.attributes) {
      entries.set(name, read(Object.hasOwn(json, name) ? json[name] : null, one, [...path, name]));
    }
    return objectOfType(type, entries);
  }
  const element = isCollection(type) ? type.element : type;
  for (const [key, one] of Object.entries(json)) entries.set(key, read(one, element, [...path, key]));
  return map(entries, element);
}

function readPrimitive(json: unknown, type: Type, path: readonly (string | number)[]): Value {
  const value =
    typeof json === "string" ||
    typeof json === "boolean" ||
    typeof json === "number" ||
    json instanceof JsonNumber
      ? fromJsonDynamic(json)
      : undefined;
  if (value === undefined) throw new ConversionError(`a ${type.kind} is required`, path);
  try {
    return convert(value, type);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new ConversionError(error.reason, path);
  }
}

/**
 * A known value as JSON, without marks. A number that a JS number can't represent is a `JsonNumber`, which
 * `stringifyJson` writes with all digits.
 * @throws TypeError for an unknown value
 */
export function toJson(value: Value): unknown {
  if (value.content === null) return null;
  if (!value.isKnown) throw new TypeError("an unknown value has no JSON");
  switch (value.type.kind) {
    case "string":
    case "bool":
      return value.content;
    case "number":
      return numberToJson(value);
    case "map":
    case "object":
      return Object.fromEntries([...value.entries].map(([key, one]) => [key, toJson(one)]));
    default:
      return value.elements.map(toJson);
  }
}

function numberToJson(value: Value): number | JsonNumber {
  const num = value.num;
  if (typeof num === "number" && Number.isFinite(num)) return num;
  const text = formatNum(num);
  const light = Number(text);
  // Whether the JS number is read back as the same number.
  const again = Number.isFinite(light) ? parseNum(String(light)) : undefined;
  return again !== undefined && formatNum(again) === text ? light : new JsonNumber(text);
}
