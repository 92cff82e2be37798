import type { Scene } from "./scene";

/** Each operation is measured at a size and at so many times that size. */
const TIMES = 4;
/** Before, once with so many objects: that loads modules, and makes what is made once. */
const WARM = 9;

/** The sizes of a scene where others have `size`: to warm up, the smaller one and the larger one. */
export function sizesOf(
  { atLeast = 0 }: Scene,
  size: number,
): [warm: number, smaller: number, larger: number] {
  const own = Math.max(size, atLeast);
  return [WARM, own, TIMES * own];
}
