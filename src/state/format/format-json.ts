import { JsonNumber, numberText, plainDecimal, quoteAsGo } from "../../json";
import { compareText } from "../../language";
import type { Json, JsonObject } from "../model/model";

/** JSON to write: a map keeps its order of keys, an object's keys are sorted. */
export type Writable = Json | ReadonlyMap<string, Writable> | readonly Writable[];

/** Text that every encoder writes as it is: visible ASCII, except what JSON or Go escapes. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : quoteAsGo(text));

/**
 * Formats JSON as Terraform formats its state: two spaces, keys in byte order, numbers without exponent.
 *
 * @param depth the indentation level of the value.
 */
export function formatJson(value: Writable, depth = 0): string {
  return formatted(value, `\n${"  ".repeat(depth)}`);
}

function formatted(value: Writable, indent: string): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return formatNumber(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (value instanceof JsonNumber) return plainDecimal(value.text) ?? value.text;
  if (Array.isArray(value)) return formattedList(value as readonly Writable[], indent);
  return formattedObject(value as WritableObject, indent);
}

type WritableObject = ReadonlyMap<string, Writable> | { [key: string]: Json };

function formattedList(list: readonly Writable[], indent: string): string {
  if (list.length === 0) return "[]";
  const inner = `${indent}  `;
  let text = "";
  for (let position = 0; position < list.length; position++) {
    text += `${position === 0 ? "[" : ","}${inner}${formatted(list[position]!, inner)}`;
  }
  return `${text}${indent}]`;
}

function formattedObject(object: WritableObject, indent: string): string {
  const inner = `${indent}  `;
  let text = "";
  const add = (key: string, value: Writable): void => {
    text += `${text === "" ? "{" : ","}${inner}${quoted(key)}: ${formatted(value, inner)}`;
  };
  if (object instanceof Map)
    for (const [key, value] of object as ReadonlyMap<string, Writable>) add(key, value);
  else for (const key of namesInOrder(object as JsonObject)) add(key, (object as JsonObject)[key]!);
  return text === "" ? "{}" : `${text}${indent}}`;
}

/** Sorted, except that the value of a dynamic type comes before its type, as Terraform writes it. */
function namesInOrder(object: JsonObject): string[] {
  const names = Object.keys(object);
  if (names.length === 2 && names[0] === "value" && names[1] === "type") return names;
  const isSorted = names.every((name, at) => at === 0 || compareText(names[at - 1]!, name) < 0);
  return isSorted ? names : names.sort(compareText);
}

function formatNumber(value: number): string {
  if (Number.isSafeInteger(value)) return numberText(value);
  const text = plainDecimal(numberText(value));
  if (text === undefined) throw new RangeError("A number in the state is infinite or not a number");
  return text;
}
