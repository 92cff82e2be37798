import { createHash } from "node:crypto";

/** Yields the numbers below `count` in a random order. The same seed always gives the same order. */
export function* numbersOf(seed: string, count: number): Generator<number> {
  const seen = new Set<number>();
  for (let index = 0; seen.size < count; index += 1) {
    const digest = createHash("sha256").update(`${seed}:${index}`).digest();
    const number = digest.readUIntBE(0, 6) % count;
    if (seen.has(number)) continue;
    seen.add(number);
    yield number;
  }
}

/**
 * Returns the 95 % confidence interval of a share, by Wilson's score:
 * https://www.itl.nist.gov/div898/handbook/prc/section2/prc241.htm
 */
export function interval(successes: number, trials: number): { readonly from: number; readonly to: number } {
  if (trials === 0) return { from: 0, to: 1 };
  const z = 1.96;
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const middle = share + z ** 2 / (2 * trials);
  const width = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return { from: (middle - width) / scale, to: (middle + width) / scale };
}
