/**
 * Computes what follows from an object that never changes once, and gives it again: every object of a plan asks the
 * same of its schema, many times over.
 */
export function remembered<K extends object, T>(compute: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, T>();
  return (of) => {
    let result = known.get(of);
    if (result === undefined) {
      result = compute(of);
      known.set(of, result);
    }
    return result;
  };
}
