/** The precision in bits of a number that comes from a configuration. */
const FULL_PRECISION = 512;
/**
 * The precision in bits of an integer that a function returns, such as a length. A longer integer has as many bits as it needs.
 */
const COUNT_PRECISION = 64;
/** The precision in bits of a number that a function calculated with doubles. */
const DOUBLE_PRECISION = 53;

/**
 * A binary floating point number `mantissa * 2 ** exponent` with its precision. Terraform calculates with numbers of this form.
 * Decimal arithmetic would give a last digit of 154 that differs from Terraform.
 */
export class BigFloat {
  constructor(
    readonly mantissa: bigint,
    readonly exponent: number,
    readonly precision: number,
  ) {}
}

/**
 * A number of the language. Integers up to 2^53, negative zero and infinities are JS numbers. Any other number is a `BigFloat`.
 */
export type Num = number | BigFloat;

function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16);
  return digits === "0" ? 0 : (digits.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(digits[0]!, 16));
}

/**
 * Returns `mantissa * 2 ** exponent`, rounded to the precision. The result is a JS number if possible, and otherwise a
 * `BigFloat` with an odd mantissa.
 */
export function makeNum(mantissa: bigint, exponent: number, precision = FULL_PRECISION): Num {
  const excess = bitLength(mantissa) - precision;
  if (excess > 0) return makeNum(withoutBits(mantissa, BigInt(excess)), exponent + excess, precision);
  const zeros = mantissa === 0n ? 0 : bitLength(mantissa & -mantissa) - 1;
  const [odd, scale] = [mantissa >> BigInt(zeros), mantissa === 0n ? 0 : exponent + zeros];
  const isLight = precision === FULL_PRECISION && scale >= 0 && scale < 54 && bitLength(odd) + scale <= 53;
  return isLight ? Number(odd << BigInt(scale)) : new BigFloat(odd, scale, precision);
}

/** Returns an integer with the precision of integers that functions return. */
export function countNum(value: number | bigint): Num {
  const whole = BigInt(value);
  return makeNum(whole, 0, Math.max(COUNT_PRECISION, bitLength(whole)));
}

/** Returns a double with the precision of doubles that functions return. */
export function doubleNum(value: number): Num {
  if (!Number.isFinite(value) || Object.is(value, -0)) return value;
  let whole = value;
  let exponent = 0;
  for (; !Number.isInteger(whole); whole *= 2) exponent -= 1;
  return makeNum(BigInt(whole), exponent, DOUBLE_PRECISION);
}

/** Returns a mantissa without its lowest bits, rounded. If the mantissa is exactly between two results, the result is even. */
function withoutBits(mantissa: bigint, bits: bigint): bigint {
  const size = mantissa < 0n ? -mantissa : mantissa;
  const half = 1n << (bits - 1n);
  const rest = size & ((1n << bits) - 1n);
  const kept = size >> bits;
  const rounded = rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
  return mantissa < 0n ? -rounded : rounded;
}

/** Returns the number that is nearest to `numerator / denominator * 2 ** exponent`. */
export function ratio(numerator: bigint, denominator: bigint, exponent = 0, precision = FULL_PRECISION): Num {
  const shift = Math.max(0, precision + 2 - bitLength(numerator) + bitLength(denominator));
  const scaled = numerator << BigInt(shift);
  // If there is a remainder, an additional lowest bit is set. With this bit, `makeNum` never treats an inexact quotient as
  // exactly between two results.
  const oneBit = scaled < 0n === denominator < 0n ? 1n : -1n;
  const sticky = scaled % denominator === 0n ? 0n : oneBit;
  return makeNum((scaled / denominator) * 2n + sticky, exponent - shift - 1, precision);
}

export const toBigFloat = (value: Num): BigFloat =>
  value instanceof BigFloat ? value : new BigFloat(BigInt(value), 0, FULL_PRECISION);

/** Returns the integer part of a number as a bigint. */
export function truncate(value: Num): bigint {
  const { mantissa, exponent } = toBigFloat(value);
  return exponent >= 0 ? mantissa << BigInt(exponent) : mantissa / (1n << BigInt(-exponent));
}

/** Returns a number as a bigint; undefined if the number has a fraction or is infinite. */
export function toBigInt(value: Num): bigint | undefined {
  const isWhole = typeof value === "number" ? Number.isFinite(value) : value.exponent >= 0;
  return isWhole ? truncate(value) : undefined;
}

/** Returns a number as a JS integer; undefined if the number has a fraction, or is too large for a safe integer. */
export function toInteger(value: Num): number | undefined {
  const light = typeof value === "number" ? value : Number(toBigInt(value) ?? Number.NaN);
  return Number.isSafeInteger(light) ? light : undefined;
}

export function sign(value: Num): number {
  if (typeof value === "number") return value === 0 ? 0 : Math.sign(value);
  if (value.mantissa === 0n) return 0;
  return value.mantissa < 0n ? -1 : 1;
}

export const isNegative = (value: Num): boolean =>
  typeof value === "number" ? value < 0 || Object.is(value, -0) : value.mantissa < 0n;

export const isInfinite = (value: Num): value is number => value === Infinity || value === -Infinity;

export function compareNum(left: Num, right: Num): number {
  if (typeof left === "number" && typeof right === "number") {
    if (left < right) return -1;
    return left > right ? 1 : 0;
  }
  if (left === Infinity || right === -Infinity) return 1;
  if (left === -Infinity || right === Infinity) return -1;
  const [a, b] = aligned(toBigFloat(left), toBigFloat(right));
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function aligned(left: BigFloat, right: BigFloat): [bigint, bigint, number] {
  const exponent = Math.min(left.exponent, right.exponent);
  return [
    left.mantissa << BigInt(left.exponent - exponent),
    right.mantissa << BigInt(right.exponent - exponent),
    exponent,
  ];
}

export function negate(value: Num): Num {
  if (typeof value === "number") return -value;
  return value.mantissa === 0n ? -0 : new BigFloat(-value.mantissa, value.exponent, value.precision);
}

/**
 * Returns the result of an operation; undefined if it has none. The calculation is done in JS numbers if both operands are JS
 * numbers and the result is exact. If one operand is decisive, such as infinity in a sum, JS numbers are enough, because only the
 * sign of the other operand matters.
 */
function compute(
  left: Num,
  right: Num,
  inNumbers: (left: number, right: number) => number,
  exactly: (left: BigFloat, right: BigFloat) => Num,
  isDecisive: (value: Num) => boolean,
): Num | undefined {
  const isLight = typeof left === "number" && typeof right === "number";
  if (isLight || isDecisive(left) || isDecisive(right)) {
    const [a, b] = [left, right].map((one) => (typeof one === "number" ? one : sign(one)));
    const result = inNumbers(a!, b!);
    if (Number.isNaN(result)) return undefined;
    if (Number.isSafeInteger(result) || !Number.isFinite(result)) return result;
  }
  return exactly(toBigFloat(left), toBigFloat(right));
}

const widest = (left: BigFloat, right: BigFloat): number => Math.max(left.precision, right.precision);
const isZeroOrInfinite = (value: Num): boolean => sign(value) === 0 || isInfinite(value);

/** Returns the sum; undefined for infinities with opposite signs. */
export const add = (left: Num, right: Num): Num | undefined =>
  compute(left, right, (a, b) => a + b, exactSum, isInfinite);

function exactSum(left: BigFloat, right: BigFloat): Num {
  const [a, b, exponent] = aligned(left, right);
  return makeNum(a + b, exponent, widest(left, right));
}

/** Returns the product; undefined for zero times infinity. */
export const multiply = (left: Num, right: Num): Num | undefined =>
  compute(left, right, (a, b) => a * b, exactProduct, isZeroOrInfinite);

/** Returns the product of two numbers. The product of short numbers has as many bits as it needs. */
function exactProduct(left: BigFloat, right: BigFloat): Num {
  const mantissa = left.mantissa * right.mantissa;
  const precision = Math.max(widest(left, right), Math.min(bitLength(mantissa), FULL_PRECISION));
  return makeNum(mantissa, left.exponent + right.exponent, precision);
}

/** Returns the quotient; undefined for zero by zero, and for infinity by infinity. */
export const divide = (left: Num, right: Num): Num | undefined =>
  compute(
    left,
    right,
    (a, b) => a / b,
    (a, b) => ratio(a.mantissa, b.mantissa, a.exponent - b.exponent, widest(a, b)),
    isZeroOrInfinite,
  );

/** Returns the remainder, with the sign of the dividend; undefined if an operand is infinite. */
export function modulo(left: Num, right: Num): Num | undefined {
  if (isInfinite(left) || isInfinite(right)) return undefined;
  if (sign(right) === 0) return left;
  const product = multiply(right, makeNum(truncate(divide(left, right)!), 0, toBigFloat(left).precision));
  return product === undefined ? undefined : add(left, negate(product));
}
