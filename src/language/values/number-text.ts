import {
  type BigFloat,
  bitLength,
  FULL_PRECISION,
  isNegative,
  makeNum,
  type Num,
  toBigFloat,
} from "./number";

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const INFINITE = /^[+-]?[Ii]nf$/;
/** Larger exponents would exhaust memory; Terraform's limit is slightly higher. */
const LARGEST_EXPONENT = 100_000;

/** Parses a decimal number as Terraform does; undefined if it is invalid. */
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
  if (exponent >= 0) return makeNum(signed * 10n ** BigInt(exponent), 0, FULL_PRECISION);
  return ratio(signed, 10n ** BigInt(-exponent));
}

function ratio(numerator: bigint, denominator: bigint): Num {
  const shift = Math.max(0, FULL_PRECISION + 2 - bitLength(numerator) + bitLength(denominator));
  const scaled = numerator << BigInt(shift);
  const remainder = scaled % denominator === 0n ? 0n : scaled < 0n ? -1n : 1n;
  return makeNum((scaled / denominator) * 2n + remainder, -shift - 1, FULL_PRECISION);
}

/** Digits `0.d1d2d3… * 10 ** point`. */
interface Decimal {
  digits: string;
  point: number;
}

function exactDecimal(mantissa: bigint, exponent: number): Decimal {
  if (mantissa === 0n) return { digits: "", point: 0 };
  const text = (exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent)).toString();
  return trimmed(text, text.length + Math.min(exponent, 0));
}

const trimmed = (digits: string, point: number): Decimal => {
  const kept = digits.replace(/0+$/, "");
  return { digits: kept, point: kept === "" ? 0 : point };
};

function roundedDown({ digits, point }: Decimal, length: number): Decimal {
  return trimmed(digits.slice(0, length), point);
}

function roundedUp({ digits, point }: Decimal, length: number): Decimal {
  const kept = digits.slice(0, length);
  const next = (BigInt(kept === "" ? "0" : kept) + 1n).toString();
  return next.length > kept.length
    ? trimmed(next, point + 1)
    : trimmed(next.padStart(kept.length, "0"), point);
}

/** Rounds to a number of digits, ties to even. */
function rounded(value: Decimal, length: number): Decimal {
  if (length < 0 || length >= value.digits.length) return value;
  const rest = value.digits.slice(length);
  const isEven = length > 0 && Number(value.digits[length - 1]) % 2 === 0;
  const isRoundedUp = rest === "5" ? !isEven && length > 0 : rest[0]! >= "5";
  return isRoundedUp ? roundedUp(value, length) : roundedDown(value, length);
}

/** The shortest digits that identify the number at its precision. */
function shortestDecimal(value: BigFloat): Decimal {
  const size = value.mantissa < 0n ? -value.mantissa : value.mantissa;
  const exact = exactDecimal(size, value.exponent);
  if (size === 0n) return exact;
  const shift = value.precision + 1 - bitLength(size);
  const scaled = size << BigInt(shift);
  const exponent = value.exponent - shift;
  const lower = exactDecimal(scaled - 1n, exponent).digits;
  const upper = exactDecimal(scaled + 1n, exponent).digits;
  const isInclusive = (scaled & 2n) === 0n;
  for (let index = 0; index < exact.digits.length; index++) {
    const digit = exact.digits[index]!;
    const low = lower[index] ?? "0";
    const high = upper[index] ?? "0";
    const isRoundedDown = low !== digit || (isInclusive && index + 1 === lower.length);
    const hasRoomAbove = Number(digit) + 1 < Number(high) || index + 1 < upper.length;
    const isRoundedUp = digit !== high && (isInclusive || hasRoomAbove);
    if (isRoundedDown && isRoundedUp) return rounded(exact, index + 1);
    if (isRoundedDown) return roundedDown(exact, index + 1);
    if (isRoundedUp) return roundedUp(exact, index + 1);
  }
  return exact;
}

const infinityText = (value: Num): string | undefined =>
  value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : undefined;

/** The number as Terraform writes it: without exponent and redundant digits. */
export function formatNum(value: Num): string {
  if (typeof value === "number" && Number.isFinite(value))
    return Object.is(value, -0) ? "-0" : value.toString();
  return infinityText(value) ?? (isNegative(value) ? "-" : "") + plain(shortestDecimal(toBigFloat(value)));
}

/** The nearest double. */
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
 * The number in a C format: `f` fixed, `e` with exponent, `g` the shorter one. Without a precision as many
 * digits as needed.
 */
export function formatNumAs(value: Num, verb: "e" | "E" | "f" | "g" | "G", precision?: number): string {
  const endless = infinityText(value);
  if (endless !== undefined) return endless;
  const prefix = isNegative(value) ? "-" : "";
  const float = toBigFloat(value);
  const size = float.mantissa < 0n ? -float.mantissa : float.mantissa;
  const exact = precision === undefined ? shortestDecimal(float) : exactDecimal(size, float.exponent);
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
    const limit = wanted === undefined ? 6 : wanted > length && length >= cut.point ? length : wanted;
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
