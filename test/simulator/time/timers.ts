// Replaces node:timers/promises in the sources.
import { simulation } from "./simulation";

/** Resolves after some milliseconds. Rejects if the signal is aborted before the time has passed. */
export function setTimeout<T>(
  milliseconds: number,
  value?: T,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (!simulation().call()) return;
    const abort = (): void => {
      cancel();
      reject(signal!.reason);
    };
    const cancel = simulation().after(milliseconds, () => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
