/** A value, or a promise of it if it must be requested. */
export type Resolution<T> = T | Promise<T>;

/** Goes on with a value: at once if it is there, since most objects of a plan need no promise. */
export const continueWith = <T, U>(value: Resolution<T>, use: (value: T) => Resolution<U>): Resolution<U> =>
  value instanceof Promise ? value.then(use) : use(value);

/** The result of a computation; what it throws, or its promise is rejected with, is turned into one by `recover`. */
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
