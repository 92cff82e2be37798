/** From this number on, equal changes are one entry. */
const MIN_EQUAL = 5;

/** One item, or at least five equal ones. */
export type Equal<T> = readonly [first: T, ...rest: readonly T[]];

/**
 * Items in their order, with equal ones together at the place of the first.
 *
 * @param keyOf the same text for equal items; undefined for an item that is never equal to another
 */
export function groupEqual<T extends object>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): Equal<T>[] {
  const groups = [...groupBy(items, (item) => keyOf(item) ?? item).values()];
  const together = new Map(
    groups
      .filter(({ length }) => length >= MIN_EQUAL)
      .flatMap((group) => group.map((item) => [item, group] as const)),
  );
  return items.flatMap((item): Equal<T>[] => {
    const group = together.get(item) ?? [item];
    return group[0] === item ? [group] : [];
  });
}

import { groupBy } from "../../engine";
