import { describeHolder, type LockRequest, type StateBackend } from "../../state";

/** Runs work under the lock of a state. Reports waiting for the lock and taking it over. */
export async function withLock<T>(
  backend: StateBackend,
  request: LockRequest,
  notice: (text: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const unlock = await backend.lock({
    ...request,
    onWait: (holder) => notice(`Waiting for the state, held by ${describeHolder(holder)}.`),
  });
  if (unlock.stale !== undefined) {
    notice(`Took over the state's lock from a process that is gone: ${describeHolder(unlock.stale)}.`);
  }
  try {
    return await work();
  } finally {
    await unlock();
  }
}
