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
