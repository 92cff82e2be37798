/** Bit operations on integers for `number.ts`. */

export function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16);
  return digits === "0" ? 0 : (digits.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(digits[0]!, 16));
}

/** The same number with an odd mantissa (or zero). */
export function dropTrailingZeros(mantissa: bigint, exponent: number): [bigint, number] {
  if (mantissa === 0n) return [0n, 0];
  const zeros = bitLength(mantissa & -mantissa) - 1;
  return [mantissa >> BigInt(zeros), exponent + zeros];
}

/** Rounds to a number of bits, ties to even. */
export function roundToBits(
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
