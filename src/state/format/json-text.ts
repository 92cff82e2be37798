import { randomUUID } from "node:crypto";
import { isExact, JsonDepthError, JsonNumber, plainDecimal, parseJson as readJson } from "../../json";
import { compareText } from "../../language";
import type { Json, JsonObject } from "../model/model";

/** JSON to be written: a map's keys stand in its own order, an object's in the order of their names. */
export type Writable = Json | ReadonlyMap<string, Writable> | readonly Writable[];

/** A text that is no JSON. Says where, and never what stands there: it may be a secret. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/**
 * Reads JSON, and keeps the digits of numbers that a double would round.
 *
 * @throws JsonSyntaxError
 */
export function parseJson(text: string): Json {
  const value = parseStrictly(text);
  return MAY_HOLD_INEXACT.test(text) ? parseWithExactNumbers(text) : value;
}

function parseStrictly(text: string): Json {
  try {
    return readJson(text) as Json;
  } catch (cause) {
    if (cause instanceof JsonDepthError) throw new JsonSyntaxError(cause.message);
    throw new JsonSyntaxError(placeOf(text, String((cause as Error).message)));
  }
}

function placeOf(text: string, message: string): string {
  if (/end of JSON/.test(message)) return "it ends too early";
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return "it is not JSON";
  const before = text.slice(0, Number(position)).split("\n");
  return `it is not JSON at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** Numbers that are long or have an exponent. Finding one inside a string costs time, and nothing else. */
const MAY_HOLD_INEXACT = /[:[,\s]-?(?:[\d.]{16}|[\d.]+[eE])/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function parseWithExactNumbers(text: string): Json {
  const mark = `${randomUUID()}:`;
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || isExact(token) ? token : `"${mark}${token}"`,
  );
  return readJson(marked, (_, value): unknown => {
    if (typeof value !== "string" || !value.startsWith(mark)) return value;
    return new JsonNumber(value.slice(mark.length));
  }) as Json;
}

/** Text that every encoder writes as it is: the ASCII that can be seen, but for what JSON or Go escapes. */
const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
/** Characters that Go's encoder escapes and JavaScript's does not. */
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(
    ESCAPED_BY_GO,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Writes JSON as Terraform writes its state: two spaces, names in byte order, numbers without an exponent.
 *
 * @param depth how deep the value stands in what it is written into.
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

/** Sorted; but a value that carries its type stands before it, as Terraform writes what can be of any type. */
function namesInOrder(object: JsonObject): string[] {
  const names = Object.keys(object);
  if (names.length === 2 && names[0] === "value" && names[1] === "type") return names;
  const isSorted = names.every((name, at) => at === 0 || compareText(names[at - 1]!, name) < 0);
  return isSorted ? names : names.sort(compareText);
}

function formatNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const text = plainDecimal(String(value));
  if (text === undefined) throw new RangeError("A number in the state is infinite or none at all");
  return text;
}
