import { once } from "../../schema";
import { isRawEqual } from "./equality";
import { unmarkDeep } from "./marks";
import { compareNum, type Num } from "./number";
import { formatNumAs } from "./number-text";
import { compareText, type Type } from "./types";
import { deepMarks, NO_MARKS, setTypeFor, Value } from "./value";

const SHORT: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

const NEEDS_ESCAPE = /["\\\p{C}\p{Z}]/gu;

/** Returns a text in double quotes with the escapes of Go. Terraform uses this form to sort sets. */
export function quote(text: string): string {
  return `"${text.replace(NEEDS_ESCAPE, escaped)}"`;
}

function escaped(character: string): string {
  if (character === " ") return character;
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

/**
 * Returns a set of the elements, without duplicates and in Terraform's order. A set can't keep the marks of single elements, so
 * the whole set gets the marks of all elements.
 */
export function set(elements: readonly Value[], element?: Type): Value {
  const marks = deepMarks(elements);
  const plain = marks !== NO_MARKS ? elements.map((one) => unmarkDeep(one).value) : elements;
  const type = setTypeFor(plain, element);
  return new Value(type, unique(plain, type.element), marks);
}

/**
 * Returns the sorted elements without duplicates. Strings, numbers and booleans are sorted by value, and other elements by their
 * `orderKey`.
 */
function unique(elements: readonly Value[], type: Type): readonly Value[] {
  if (elements.length < 2) return elements;
  const keys = new Map<Value, string>(elements.map((one) => [one, orderKey(one)]));
  return distinctValues(elements, keys).sort((a, b) => compareElements(a, b, type, keys));
}

/**
 * Returns the values without duplicates, in the given order. As in Terraform, all unknown values stay, because unknown values can
 * be different.
 */
export function distinctValues(values: readonly Value[], keys?: ReadonlyMap<Value, string>): Value[] {
  const seen = new Map<string, Value[]>();
  return values.filter((one) => {
    const alike = once(seen, keys?.get(one) ?? orderKey(one), () => []);
    if (!one.hasUnknown && alike.some((other) => isRawEqual(one, other))) return false;
    alike.push(one);
    return true;
  });
}

function compareElements(a: Value, b: Value, type: Type, keys: ReadonlyMap<Value, string>): number {
  const rank = (one: Value): number => {
    if (!one.isKnown) return 1;
    return one.isNull ? 2 : 0;
  };
  const ranks = rank(a) - rank(b);
  if (ranks !== 0 || rank(a) !== 0) return ranks;
  switch (type.kind) {
    case "string":
      return compareText(a.text, b.text);
    case "number":
      return compareNum(a.num, b.num);
    case "bool":
      return Number(a.isTrue) - Number(b.isTrue);
    default:
      return compareText(keys.get(a)!, keys.get(b)!);
  }
}

/** Returns Terraform's sort key for elements without a natural order. */
function orderKey(value: Value): string {
  if (!value.isKnown) return "?";
  if (value.isNull) return "~";
  const all = (values: readonly Value[]): string => values.map((one) => `${orderKey(one)};`).join("");
  switch (value.type.kind) {
    case "string":
      return quote(value.text);
    case "number":
      return numberKey(value.num);
    case "bool":
      return value.isTrue ? "T" : "F";
    case "map":
      return `{${[...value.entries].map(([key, one]) => `${quote(key)}:${orderKey(one)};`).join("")}}`;
    case "list":
    case "set":
      return `[${all(value.elements)}]`;
    default:
      return `<${all(value.elements)}>`;
  }
}

/** Returns a key with ten significant digits of a number. Two numbers that differ only after these digits have equal keys. */
const numberKey = (value: Num): string => formatNumAs(value, "g", 10);
