/** Bit operations on integers for `number.ts`. */

export function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16);
  return digits === "0" ? 0 : (digits.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(digits[0]!, 16));
}

/** The same number with an odd mantissa (or zero). */
function dropTrailingZeros(mantissa: bigint, exponent: number): [bigint, number] {
  if (mantissa === 0n) return [0n, 0];
  const zeros = bitLength(mantissa & -mantissa) - 1;
  return [mantissa >> BigInt(zeros), exponent + zeros];
}

/** Rounds to a number of bits, ties to even. */
function roundToBits(
  mantissa: bigint,
  exponent: number,
  bits: number,
): { mantissa: bigint; exponent: number } {
  const excess = bitLength(mantissa) - bits;
  let kept = mantissa;
  let scale = exponent;
  if (excess > 0) {
    const size = mantissa < 0n ? -mantissa : mantissa;
    const cut = BigInt(excess);
    const half = 1n << (cut - 1n);
    const rest = size & ((1n << cut) - 1n);
    let rounded = size >> cut;
    if (rest > half || (rest === half && (rounded & 1n) === 1n)) rounded += 1n;
    kept = mantissa < 0n ? -rounded : rounded;
    scale += excess;
  }
  const [odd, shifted] = dropTrailingZeros(kept, scale);
  return { mantissa: odd, exponent: shifted };
}

/** Precision of a configured number, in bits. */
export const FULL_PRECISION = 512;
/** Precision of an integer computed by a function, such as a length. */
const COUNT_PRECISION = 64;
/** Precision of a result of double arithmetic. */
const DOUBLE_PRECISION = 53;

/**
 * A binary floating point number `mantissa * 2 ** exponent` with its precision. Terraform computes this way;
 * decimal arithmetic would differ in the last of 154 digits.
 */
export class BigFloat {
  constructor(
    readonly mantissa: bigint,
    readonly exponent: number,
    readonly precision: number,
  ) {}
}

/**
 * A number: a JS number if that is exact (integers up to 2^53, negative zero, infinities), otherwise a
 * `BigFloat`.
 */
export type Num = number | BigFloat;

const isLight = (value: number): boolean => Number.isSafeInteger(value) || !Number.isFinite(value);

/** Rounds to the precision and uses a JS number if possible. */
export function makeNum(mantissa: bigint, exponent: number, precision: number): Num {
  const rounded = roundToBits(mantissa, exponent, precision);
  if (precision === FULL_PRECISION) {
    const { mantissa: m, exponent: e } = rounded;
    if (m === 0n) return 0;
    if (e >= 0 && e < 54 && bitLength(m) + e <= 53) return Number(m << BigInt(e));
  }
  return new BigFloat(rounded.mantissa, rounded.exponent, precision);
}

/** An integer computed by a function. */
export const countNum = (value: number): Num =>
  new BigFloat(...dropTrailingZeros(BigInt(value), 0), COUNT_PRECISION);

export function integerNum(value: bigint, precision = FULL_PRECISION): Num {
  return makeNum(value, 0, Math.max(precision, bitLength(value), COUNT_PRECISION));
}

/** The result of double arithmetic. */
export function doubleNum(value: number): Num {
  if (!Number.isFinite(value) || Object.is(value, -0)) return value;
  const [mantissa, exponent] = splitDouble(value);
  return new BigFloat(mantissa, exponent, DOUBLE_PRECISION);
}

function splitDouble(value: number): [bigint, number] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const biased = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return dropTrailingZeros(raw >> 63n === 1n ? -mantissa : mantissa, Math.max(biased, 1) - 1075);
}

export function toBigFloat(value: Num): BigFloat {
  if (value instanceof BigFloat) return value;
  return new BigFloat(...dropTrailingZeros(BigInt(value), 0), FULL_PRECISION);
}

/** The number as an integer, or undefined if it has a fraction or is infinite. */
export function toBigInt(value: Num): bigint | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? BigInt(value) : undefined;
  return value.exponent >= 0
    ? value.mantissa << BigInt(value.exponent)
    : value.mantissa === 0n
      ? 0n
      : undefined;
}

/** The number as a JS integer, or undefined if it has none. */
export function toInteger(value: Num): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  const whole = toBigInt(value);
  if (whole === undefined) return undefined;
  const light = Number(whole);
  return Number.isSafeInteger(light) ? light : undefined;
}

/** Drops the fraction. */
export function truncate(value: Num): bigint {
  if (typeof value === "number") return BigInt(value);
  if (value.exponent >= 0) return value.mantissa << BigInt(value.exponent);
  const cut = BigInt(-value.exponent);
  return value.mantissa < 0n ? -(-value.mantissa >> cut) : value.mantissa >> cut;
}

export function sign(value: Num): number {
  if (typeof value === "number") return value === 0 ? 0 : Math.sign(value);
  return value.mantissa === 0n ? 0 : value.mantissa < 0n ? -1 : 1;
}

export const isNegative = (value: Num): boolean =>
  typeof value === "number" ? value < 0 || Object.is(value, -0) : value.mantissa < 0n;

export function compareNum(left: Num, right: Num): number {
  if (typeof left === "number" && typeof right === "number") return left < right ? -1 : left > right ? 1 : 0;
  if (left === Infinity || right === -Infinity) return 1;
  if (left === -Infinity || right === Infinity) return -1;
  const [a, b] = aligned(toBigFloat(left), toBigFloat(right));
  return a < b ? -1 : a > b ? 1 : 0;
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

const widest = (left: BigFloat, right: BigFloat): number => Math.max(left.precision, right.precision);
const isInfinite = (value: Num): value is number => value === Infinity || value === -Infinity;

/** The sum, or undefined for opposing infinities. */
export function add(left: Num, right: Num): Num | undefined {
  if (typeof left === "number" && typeof right === "number") {
    const light = left + right;
    if (Number.isNaN(light)) return undefined;
    if (isLight(light)) return light;
  }
  if (isInfinite(left)) return left;
  if (isInfinite(right)) return right;
  const [a, b] = [toBigFloat(left), toBigFloat(right)];
  const [x, y, exponent] = aligned(a, b);
  return makeNum(x + y, exponent, widest(a, b));
}

/** The product, or undefined for zero times infinity. */
export function multiply(left: Num, right: Num): Num | undefined {
  if (typeof left === "number" && typeof right === "number") {
    const light = left * right;
    if (Number.isNaN(light)) return undefined;
    if (isLight(light)) return light;
  }
  if (isInfinite(left) || isInfinite(right)) {
    const signs = sign(left) * sign(right);
    return signs === 0 ? undefined : signs * Infinity;
  }
  if (sign(left) === 0 || sign(right) === 0) return isNegative(left) === isNegative(right) ? 0 : -0;
  const [a, b] = [toBigFloat(left), toBigFloat(right)];
  const product = roundToBits(a.mantissa * b.mantissa, a.exponent + b.exponent, FULL_PRECISION);
  return makeNum(product.mantissa, product.exponent, Math.max(widest(a, b), bitLength(product.mantissa)));
}

/** The quotient, or undefined for zero by zero and infinity by infinity. */
export function divide(left: Num, right: Num): Num | undefined {
  if (typeof left === "number" && typeof right === "number") {
    const light = left / right;
    if (Number.isNaN(light)) return undefined;
    if (isLight(light) && (light !== 0 || left === 0 || isInfinite(right))) return light;
  }
  if (isInfinite(left)) return isInfinite(right) ? undefined : left * (sign(right) < 0 ? -1 : 1);
  if (isInfinite(right)) return 0;
  const [a, b] = [toBigFloat(left), toBigFloat(right)];
  if (b.mantissa === 0n) return a.mantissa === 0n ? undefined : sign(left) * Infinity;
  if (a.mantissa === 0n) return isNegative(left) === isNegative(right) ? 0 : -0;
  const precision = widest(a, b);
  const shift = Math.max(0, precision + 2 - bitLength(a.mantissa) + bitLength(b.mantissa));
  const [x, y] = [a.mantissa << BigInt(shift), b.mantissa];
  // A sticky bit below all others represents the remainder, so that rounding knows that the quotient is
  // inexact.
  const quotient = (x / y) * 2n + (x % y === 0n ? 0n : x < 0n === y < 0n ? 1n : -1n);
  return makeNum(quotient, a.exponent - b.exponent - shift - 1, precision);
}

/** The remainder with the sign of the dividend, or undefined if it does not exist. */
export function modulo(left: Num, right: Num): Num | undefined {
  if (isInfinite(left) || isInfinite(right)) return multiply(left, right);
  if (sign(right) === 0) return left;
  const quotient = divide(left, right);
  if (quotient === undefined || isInfinite(quotient)) return undefined;
  const whole = makeNum(truncate(quotient), 0, toBigFloat(left).precision);
  const product = multiply(right, whole);
  return product === undefined ? undefined : add(left, negate(product));
}
