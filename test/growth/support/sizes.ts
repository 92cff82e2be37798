import type { Scene } from "./scene";

/** The factor between the two sizes at which each operation is measured. */
const TIMES = 4;
/** The number of objects of the first run, which loads modules and fills caches. */
const WARM = 9;

/** Returns the three sizes of a scene: for the warm-up, and the smaller and the larger size. */
export function sizesOf(
  { atLeast = 0 }: Scene,
  size: number,
): [warm: number, smaller: number, larger: number] {
  const own = Math.max(size, atLeast);
  return [WARM, own, TIMES * own];
}
