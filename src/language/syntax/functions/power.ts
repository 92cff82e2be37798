/**
 * `base ** power` in doubles, by repeated squaring of the mantissa as Go does it: JavaScript's own operator differs in
 * the last digit.
 */
export function power(base: number, exponent: number): number {
  const special = specialPower(base, exponent);
  if (special !== undefined) return special;
  let whole = Math.trunc(Math.abs(exponent));
  let fraction = Math.abs(exponent) - whole;
  let mantissa = 1;
  let scale = 0;
  if (fraction !== 0) {
    if (fraction > 0.5) {
      fraction -= 1;
      whole += 1;
    }
    mantissa = Math.exp(fraction * Math.log(base));
  }
  let [factor, factorScale] = split(base);
  for (let rest = BigInt(whole); rest !== 0n; rest >>= 1n) {
    if (Math.abs(factorScale) > 4096) {
      scale += factorScale;
      break;
    }
    if ((rest & 1n) === 1n) {
      mantissa *= factor;
      scale += factorScale;
    }
    factor *= factor;
    factorScale *= 2;
    if (factor < 0.5) {
      factor *= 2;
      factorScale -= 1;
    }
  }
  return exponent < 0 ? scaled(1 / mantissa, -scale) : scaled(mantissa, scale);
}

function specialPower(base: number, exponent: number): number | undefined {
  if (exponent === 0 || base === 1) return 1;
  if (exponent === 0.5) return Math.sqrt(base);
  if (exponent === -0.5) return 1 / Math.sqrt(base);
  if (base === 0 || !Number.isFinite(base) || !Number.isFinite(exponent)) {
    return base === -1 ? 1 : base ** exponent;
  }
  if (base < 0 && !Number.isInteger(exponent)) return Number.NaN;
  return Math.abs(exponent) >= 2 ** 63 ? base ** exponent : undefined;
}

/** Mantissa between a half and one, and exponent. */
function split(value: number): [number, number] {
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let mantissa = value * 2 ** -exponent;
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent -= 1;
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent += 1;
  }
  return [mantissa, exponent];
}

/** In two steps, so that neither leaves the range of doubles before the result does. */
function scaled(mantissa: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return mantissa * 2 ** half * 2 ** (exponent - half);
}
