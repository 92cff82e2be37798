/** Groups items by key. The items of a group keep their order. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) append<T, K>(groups as Map<K, T[]>, keyOf(item), item);
  return groups;
}

/** Adds an item to the group of a key in `groups`. */
export function append<T, K>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/**
 * Returns the value of a map for a key. If the map has no value for the key, the function creates the value and adds it
 * to the map.
 */
export function once<K, V>(
  known: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/**
 * Returns a function that caches the result of `compute` for each object. The objects must be immutable, as a schema
 * is. A plan calls the returned function for every object.
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

/** Returns a function that computes its value on the first call. */
export const lazily = <T>(compute: () => T): (() => T) => {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: compute() };
    return found.value;
  };
};

/** A value, or a promise if a request is needed to get the value. */
export type Resolution<T> = T | Promise<T>;

/**
 * Passes a value to a function, and waits for the value only if it is a promise. Most objects need no promise, so
 * Steward plans them synchronously.
 */
export const continueWith = <T, U>(value: Resolution<T>, use: (value: T) => Resolution<U>): Resolution<U> =>
  value instanceof Promise ? value.then(use) : use(value);

/**
 * Returns the result of a computation. If the computation throws or its promise is rejected, `recover` converts
 * the error to a result.
 */
export function withRecovery<T>(
  compute: () => Resolution<T>,
  recover: (problem: unknown) => Resolution<T>,
): Resolution<T> {
  try {
    const result = compute();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (problem) {
    return recover(problem);
  }
}
