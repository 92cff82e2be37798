/** A value, or a promise if a request is needed to get the value. */
export type Resolution<T> = T | Promise<T>;

/**
 * Passes a value to a function: at once if the value is available, because most objects of a plan need no promise.
 */
export const continueWith = <T, U>(value: Resolution<T>, use: (value: T) => Resolution<U>): Resolution<U> =>
  value instanceof Promise ? value.then(use) : use(value);

/**
 * Returns the result of a computation. `recover` converts a thrown error, or the error of a rejected promise, to a
 * result.
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
