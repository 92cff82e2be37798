import type { PathStep } from "../../diagnostics";
import { JsonNumber } from "../../json";
import { isUnknown, type Value as Plain, UNKNOWN } from "../../schema";
import { ConversionError, convert } from "./conversion";
import { formatNum, parseNum } from "./number-text";
import { set } from "./sets";
import { isPrimitive, type Type, typeFromJson } from "./types";
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
  unknown,
  type Value,
} from "./value";

/**
 * Converts a JSON number to a value. The value of a JS number is its shortest decimal, because JSON text contains this decimal.
 */
function jsonNumber(json: number | JsonNumber): Value {
  const text = json instanceof JsonNumber ? json.text : String(json);
  if (typeof json === "number" && Number.isSafeInteger(json)) return number(json);
  const parsed = parseNum(text);
  if (parsed === undefined) throw new TypeError(`${text} is not a number`);
  return number(parsed);
}

/**
 * Converts JSON to a value without a given type. Arrays become tuples, objects remain objects, and null gets the dynamic type.
 */
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
 * Converts JSON from a state or a plan to a value of a type. An absent attribute becomes null.
 * @throws ConversionError with the path of the invalid part
 */
export const fromJson = (json: unknown, type: Type): Value => read(json, type, fromJsonDynamic);

/**
 * Converts a provider's value to a value of the language. A provider's value of the dynamic type has the form `{ value, type }`.
 */
export const fromPlain = (plain: Plain, type: Type): Value => read(plain, type, fromTyped);

function fromTyped(plain: unknown): Value {
  const { value, type } = plain as { readonly value: Plain; readonly type: Plain };
  return fromPlain(value, typeFromJson(type));
}

type ReadDynamic = (json: unknown) => Value;

function read(json: unknown, type: Type, dynamic: ReadDynamic): Value {
  if (isUnknown(json)) return unknown(type);
  if (json === null || json === undefined) return nullOf(type);
  if (type.kind === "dynamic") return dynamic(json);
  if (type.kind === "object" || type.kind === "map") {
    if (typeof json !== "object" || Array.isArray(json)) throw new ConversionError("an object is required");
    const fields = json as Readonly<Record<string, unknown>>;
    const entries = new Map<string, Value>();
    if (type.kind === "object") {
      for (const [name, one] of type.attributes)
        entries.set(name, readPart(Object.hasOwn(fields, name) ? fields[name] : null, one, dynamic, name));
      return objectOfType(type, entries);
    }
    for (const key of Object.keys(fields))
      entries.set(key, readPart(fields[key], type.element, dynamic, key));
    return map(entries, type.element);
  }
  if (isPrimitive(type)) {
    if (typeof json === "object" && !(json instanceof JsonNumber))
      throw new ConversionError(`a ${type.kind} is required`);
    return convert(fromJsonDynamic(json), type);
  }
  if (!Array.isArray(json)) throw new ConversionError("an array is required");
  if (type.kind === "tuple") {
    if (json.length !== type.elements.length) throw new ConversionError("wrong number of elements");
    return tuple(json.map((one, index) => readPart(one, type.elements[index]!, dynamic, index)));
  }
  const elements = json.map((one, index) => readPart(one, type.element, dynamic, index));
  return type.kind === "set" ? set(elements, type.element) : list(elements, type.element);
}

/** Converts a part of a JSON value. If this fails, adds the part's key or index to the path of the error. */
function readPart(json: unknown, type: Type, dynamic: ReadDynamic, step: PathStep): Value {
  try {
    return read(json, type, dynamic);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    throw new ConversionError(error.reason, [step, ...error.path]);
  }
}

/**
 * Converts a value to the form of providers and of JSON, which has no marks. A number that a JS number can't represent becomes a
 * `JsonNumber`, which `stringifyJson` writes with all digits.
 */
export function toPlain(value: Value): Plain {
  if (!value.isKnown) return UNKNOWN;
  if (value.isNull) return null;
  switch (value.type.kind) {
    case "string":
    case "bool":
      return value.content as string | boolean;
    case "number":
      return numberToJson(value);
    case "map":
    case "object":
      return Object.fromEntries([...value.entries].map(([key, one]) => [key, toPlain(one)]));
    default:
      return value.elements.map(toPlain);
  }
}

function numberToJson(value: Value): number | JsonNumber {
  const num = value.num;
  if (typeof num === "number" && Number.isFinite(num)) return num;
  const text = formatNum(num);
  const light = Number(text);
  // The JS number is used only if its text parses to the same number.
  const again = Number.isFinite(light) ? parseNum(String(light)) : undefined;
  return again !== undefined && formatNum(again) === text ? light : new JsonNumber(text);
}
