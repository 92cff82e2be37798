/** A value, or a promise of it if it must be requested. */
export type Resolution<T> = T | Promise<T>;

/** Continues with a value: at once if it is available, because most objects of a plan need no promise. */
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
