import { numberText } from "../../json";
import { compareNum, isNegative, makeNum, type Num, negate, ratio, toBigFloat } from "./number";

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INFINITE = /^[+-]?[Ii]nf$/;
/**
 * The largest exponent of a decimal number that is parsed. Larger exponents would exhaust memory. Terraform's maximum is slightly
 * higher.
 */
const LARGEST_EXPONENT = 100_000;

/** Returns the number in a decimal text, as Terraform reads it; undefined if the text is invalid. */
export function parseNum(text: string): Num | undefined {
  if (INFINITE.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, signText, whole = "", fraction = "", power = "0"] = match;
  if (whole + fraction === "") return undefined;
  const digits = BigInt(whole + fraction);
  const exponent = Number(power) - fraction.length;
  if (digits === 0n) return signText === "-" ? -0 : 0;
  if (Math.abs(exponent) > LARGEST_EXPONENT) return undefined;
  const signed = signText === "-" ? -digits : digits;
  return decimalNum(signed, exponent);
}

/** Returns the number that is nearest to `digits * 10 ** exponent`. */
function decimalNum(digits: bigint, exponent: number, precision?: number): Num {
  return exponent >= 0
    ? makeNum(digits * 10n ** BigInt(exponent), 0, precision)
    : ratio(digits, 10n ** BigInt(-exponent), 0, precision);
}

/** A decimal number without a sign: `0.DIGITS * 10 ** point`. */
interface Decimal {
  digits: string;
  point: number;
}

/** Returns the absolute value of a number as a decimal number with all digits. */
function exactDecimal(value: Num): Decimal {
  const { mantissa, exponent } = toBigFloat(value);
  const size = mantissa < 0n ? -mantissa : mantissa;
  const text = (exponent >= 0 ? size << BigInt(exponent) : size * 5n ** BigInt(-exponent)).toString();
  return trimmed(text, text.length + Math.min(exponent, 0));
}

const trimmed = (digits: string, point: number): Decimal => {
  const kept = digits.replace(/0+$/, "");
  return { digits: kept, point: kept === "" ? 0 : point };
};

/**
 * Returns a decimal number rounded to a number of digits. If the number is exactly between two results, the result has an even
 * last digit.
 */
function rounded(value: Decimal, length: number): Decimal {
  if (length < 0 || length >= value.digits.length) return value;
  const rest = value.digits.slice(length);
  const isEven = length > 0 && Number(value.digits[length - 1]) % 2 === 0;
  const isRoundedUp = rest === "5" ? !isEven && length > 0 : rest[0]! >= "5";
  const kept = value.digits.slice(0, length);
  if (!isRoundedUp) return trimmed(kept, value.point);
  const next = (BigInt(`0${kept}`) + 1n).toString().padStart(length, "0");
  return trimmed(next, value.point + next.length - length);
}

/** Returns the shortest decimal number that Terraform reads as this number, at the precision of this number. */
function shortestDecimal(value: Num): Decimal {
  const exact = exactDecimal(value);
  const size = isNegative(value) ? negate(value) : value;
  const { precision } = toBigFloat(value);
  // The search can start at this length. If a shorter decimal is enough, rounding to this length results in the same decimal.
  for (let length = Math.floor(precision * Math.log10(2)) - 1; length < exact.digits.length; length += 1) {
    const shorter = rounded(exact, length);
    const read = decimalNum(BigInt(shorter.digits), shorter.point - shorter.digits.length, precision);
    if (compareNum(read, size) === 0) return shorter;
  }
  return exact;
}

const infinityText = (value: Num): string | undefined => {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : undefined;
};

/** Returns a number as text in Terraform's format: without an exponent, and with as few digits as possible. */
export function formatNum(value: Num): string {
  if (typeof value === "number" && Number.isFinite(value)) return numberText(value);
  return infinityText(value) ?? (isNegative(value) ? "-" : "") + plain(shortestDecimal(value));
}

/** Returns the double that is nearest to a number. */
export const toDouble = (value: Num): number =>
  typeof value === "number" ? value : Number(formatNum(value));

function plain({ digits, point }: Decimal, places?: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  const fraction = point > 0 ? digits.slice(point) : "0".repeat(-point) + digits;
  const shown =
    places === undefined ? fraction.replace(/0+$/, "") : fraction.padEnd(places, "0").slice(0, places);
  return shown === "" ? whole : `${whole}.${shown}`;
}

/**
 * Returns a number as text in a C format: `f` without an exponent, `e` with an exponent, and `g` in the shorter of these forms.
 * Without a precision, the text has as many digits as necessary.
 */
export function formatNumAs(value: Num, verb: "e" | "E" | "f" | "g" | "G", precision?: number): string {
  const endless = infinityText(value);
  if (endless !== undefined) return endless;
  const prefix = isNegative(value) ? "-" : "";
  const exact = precision === undefined ? shortestDecimal(value) : exactDecimal(value);
  return prefix + WRITERS[verb](exact, precision);
}

type Writer = (value: Decimal, precision: number | undefined) => string;

const fixed: Writer = (value, precision) => {
  if (precision === undefined) return plain(value);
  const length = value.point + precision;
  return plain(length < 0 ? { digits: "", point: 0 } : rounded(value, length), precision);
};

const scientific =
  (letter: string): Writer =>
  (value, precision) => {
    const places = precision ?? Math.max(value.digits.length - 1, 0);
    const { digits, point } = rounded(value, places + 1);
    const power = digits === "" ? 0 : point - 1;
    const tail = digits.slice(1).padEnd(places, "0").slice(0, places);
    const head = digits === "" ? "0" : digits[0]!;
    const exponent = Math.abs(power).toString().padStart(2, "0");
    return `${head}${tail === "" ? "" : `.${tail}`}${letter}${power < 0 ? "-" : "+"}${exponent}`;
  };

const general =
  (letter: string): Writer =>
  (value, precision) => {
    const wanted = precision === 0 ? 1 : precision;
    const cut = wanted === undefined ? value : rounded(value, wanted);
    const length = cut.digits.length;
    const isLonger = wanted !== undefined && wanted > length && length >= cut.point;
    const limit = isLonger ? length : (wanted ?? 6);
    const power = cut.point - 1;
    if (power < -4 || power >= limit) return scientific(letter)(cut, Math.min(wanted ?? length, length) - 1);
    return plain(cut);
  };

const WRITERS: Record<"e" | "E" | "f" | "g" | "G", Writer> = {
  f: fixed,
  e: scientific("e"),
  E: scientific("E"),
  g: general("e"),
  G: general("E"),
};
