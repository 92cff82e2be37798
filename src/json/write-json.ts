/**
 * A JSON number that a JS number can't represent, such as 9007199254740993 or a number with thirty digits. Only outputs
 * and values of the type `any` can contain such a number. The attributes of Steward's provider never contain such a
 * number.
 */
export class JsonNumber {
  constructor(readonly text: string) {}

  /** Returns the nearest JS number. */
  valueOf(): number {
    return Number(this.text);
  }

  /** Returns the nearest JS number, for `JSON.stringify`. `stringifyJson` writes all digits instead. */
  toJSON(): number {
    return this.valueOf();
  }

  toString(): string {
    return this.text;
  }
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/**
 * The largest exponent of a number that is written as digits. With a larger exponent, a double is infinite or zero, and the
 * digits would exhaust memory.
 */
const LARGEST_EXPONENT = 400;

/**
 * Returns the decimal number without exponent and redundant zeros, as Terraform writes it. The result is the same for all
 * spellings of a number. Returns undefined if the exponent is beyond the range of a double.
 */
export function plainDecimal(text: string): string | undefined {
  const match = NUMBER.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  const exponent = Number(power);
  if (Math.abs(exponent) > LARGEST_EXPONENT) return undefined;
  const point = whole.length + exponent;
  const digits = `${"0".repeat(Math.max(0, 1 - point))}${whole}${fraction}`;
  const split = Math.max(1, point);
  const before = digits
    .slice(0, split)
    .padEnd(split, "0")
    .replace(/^0+(?=\d)/, "");
  const after = digits.slice(split, endOfDigits(digits, split));
  return `${sign}${before}${after === "" ? "" : `.${after}`}`;
}

/**
 * Returns the position after the last digit that is not zero. A regular expression would take quadratic time if many zeros
 * precede this digit.
 */
function endOfDigits(digits: string, from: number): number {
  let end = digits.length;
  while (end > from && digits[end - 1] === "0") end -= 1;
  return end;
}

/** Returns whether a double represents the number exactly. */
export function isExact(text: string): boolean {
  const plain = plainDecimal(text);
  return plain !== undefined && plain === plainDecimal(numberText(Number(text)));
}

/** Formats a JS number as JSON. Writes negative zero as `-0`, although `JSON.stringify` omits this sign. */
export const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));

/** Writes JSON like `JSON.stringify`, but keeps all digits of a `JsonNumber`, and the sign of negative zero. */
export function stringifyJson(json: unknown, indent = 0): string {
  if (hasOnlyPlainValues(json)) return JSON.stringify(json, null, indent) ?? "null";
  return write(json, indent === 0 ? "" : `\n`, " ".repeat(indent));
}

/**
 * Returns whether `JSON.stringify` writes the same text for a value as `stringifyJson`. `stringifyJson` then uses
 * `JSON.stringify`, which is several times as fast.
 */
function hasOnlyPlainValues(json: unknown): boolean {
  if (typeof json === "number") return !Object.is(json, -0);
  if (typeof json !== "object" || json === null)
    return typeof json !== "function" && typeof json !== "symbol";
  if (Array.isArray(json)) return json.every(hasOnlyPlainValues);
  const prototype = Object.getPrototypeOf(json);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in json) if (!hasOnlyPlainValues((json as Record<string, unknown>)[key])) return false;
  return true;
}

/** Returns the text of a number. @throws RangeError if the text is not a JSON number, because no reader could read it */
export function jsonNumberText({ text }: JsonNumber): string {
  if (!NUMBER.test(text)) throw new RangeError(`JSON has no number ${text}`);
  return text;
}

function write(json: unknown, newline: string, indent: string): string {
  if (json instanceof JsonNumber) return jsonNumberText(json);
  if (Object.is(json, -0)) return numberText(-0);
  if (typeof json !== "object" || json === null) return JSON.stringify(json) ?? "null";
  const inner = newline === "" ? "" : newline + indent;
  let items = "";
  if (Array.isArray(json)) {
    for (const one of json) items += `${items === "" ? inner : `,${inner}`}${write(one, inner, indent)}`;
    return items === "" ? "[]" : `[${items}${newline}]`;
  }
  const colon = newline === "" ? ":" : ": ";
  for (const [key, one] of Object.entries(json))
    if (one !== undefined)
      items += `${items === "" ? inner : `,${inner}`}${JSON.stringify(key)}${colon}${write(one, inner, indent)}`;
  return items === "" ? "{}" : `{${items}${newline}}`;
}

/** Characters that Go's encoder escapes and JavaScript's encoder does not. */
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;

/** Returns a text as a JSON string, in the form that Go's encoder and therefore Terraform write. */
export const quoteAsGo = (text: string): string =>
  JSON.stringify(text).replace(
    ESCAPED_BY_GO,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** The type of an object without its undefined fields. */
export type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns an object without the fields whose value is undefined. */
export function defined<const T extends object>(fields: T): Defined<T> {
  const found: Record<string, unknown> = {};
  // A loop is several times faster than `Object.entries`, and a report calls this function for each object.
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name];
  return found as Defined<T>;
}
