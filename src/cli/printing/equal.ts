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
  const groups = new Map<string, [T, ...T[]]>();
  items.forEach((item, index) => {
    const key = keyOf(item) ?? String(index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  });
  const together = [...groups.values()].filter((group) => group.length >= MIN_EQUAL);
  const byFirst = new Map(together.map((group) => [group[0], group]));
  const grouped = new Set(together.flat());
  return items.flatMap((item): Equal<T>[] => {
    const group = byFirst.get(item);
    if (group !== undefined) return [group];
    return grouped.has(item) ? [] : [[item]];
  });
}
