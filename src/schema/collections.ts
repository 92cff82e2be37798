/** The items by key, in their order. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Memoizes a function of an immutable object, such as a schema, which every object of a plan evaluates again.
 */
export function memoize<K extends object, T>(compute: (of: K) => T): (of: K) => T {
  const results = new WeakMap<K, T>();
  return (of) => {
    let result = results.get(of);
    if (result === undefined) {
      result = compute(of);
      results.set(of, result);
    }
    return result;
  };
}
