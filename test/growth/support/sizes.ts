import type { Scene } from "./scene";

/** Each operation is measured at a size and at this multiple of it. */
const TIMES = 4;
/** The number of objects of the first run, which loads modules and fills caches. */
const WARM = 9;

/** The sizes of a scene where others have `size`: to warm up, the smaller one and the larger one. */
export function sizesOf(
  { atLeast = 0 }: Scene,
  size: number,
): [warm: number, smaller: number, larger: number] {
  const own = Math.max(size, atLeast);
  return [WARM, own, TIMES * own];
}
