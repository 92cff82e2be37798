/**
 * A JSON number that a JS number can't represent, such as 9007199254740993 or one of thirty digits. Provider
 * attributes never hold one: only values of any type and outputs have numbers of arbitrary precision.
 */
export class JsonNumber {
  constructor(readonly text: string) {}

  /** The nearest JS number. */
  valueOf(): number {
    return Number(this.text);
  }

  /** For `JSON.stringify`; `stringifyJson` keeps all digits. */
  toJSON(): number {
    return this.valueOf();
  }

  toString(): string {
    return this.text;
  }
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Beyond it a double is infinite or zero, and the digits would exhaust memory. */
const LARGEST_EXPONENT = 400;

/**
 * The decimal without exponent and redundant zeros, as Terraform writes it; a canonical text. Undefined if no
 * double comes near it.
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

/** Where the zeros at the end begin. A pattern for them takes the square of the time where many stand before the last digit. */
function endOfDigits(digits: string, from: number): number {
  let end = digits.length;
  while (end > from && digits[end - 1] === "0") end -= 1;
  return end;
}

/** Whether a double represents the text exactly. */
export function isExact(text: string): boolean {
  const plain = plainDecimal(text);
  return plain !== undefined && plain === plainDecimal(numberText(Number(text)));
}

/** A JS number as JSON has it; `JSON.stringify` leaves out the sign of zero. */
export const numberText = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));
