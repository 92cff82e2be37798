import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../../diagnostics";
import type { Attempt } from "./lock-file";
import {
  describeHolder,
  type LockInfo,
  type LockRequest,
  lockedError,
  restlessError,
  type StateLock,
} from "./lock-info";

const POLL_MS = 250;
/** How often a lock may vanish between the try to take it and the look at who holds it, one time after the other. */
const MOST_VANISHED = 100;
const VANISHED_PAUSE_MS = 5;

/**
 * Tries until the lock is taken or the time is over.
 *
 * @throws DiagnosticError `state_locked`
 */
export async function acquire(
  attempt: () => Promise<Attempt>,
  request: LockRequest,
  state: string,
): Promise<LockInfo | undefined> {
  const deadline = performance.now() + (request.timeoutMs ?? 0);
  let told: string | undefined;
  let vanished = 0;
  for (;;) {
    const result = await attempt();
    if (result.taken) return result.tookOver;
    const left = deadline - performance.now();
    if (result.holder === undefined) {
      if (++vanished > MOST_VANISHED && left <= 0) throw restlessError(state);
      await wait(VANISHED_PAUSE_MS, request, state);
      continue;
    }
    vanished = 0;
    if (left <= 0) throw lockedError(result.holder, state);
    if (told !== result.holder.id) request.onWait?.(result.holder);
    told = result.holder.id;
    await wait(Math.min(POLL_MS, left), request, state);
  }
}

async function wait(milliseconds: number, { signal }: LockRequest, state: string): Promise<void> {
  await pause(milliseconds, undefined, signal ? { signal } : {}).catch(() => interrupted(state));
}

const interrupted = (state: string): never =>
  fail({
    code: "interrupted",
    summary: "Interrupted",
    detail: `The run was interrupted while it waited for the lock of the state ${state}. Nothing was changed.`,
  });

/** A held lock, given back once however often it is asked. */
export function heldLock(info: LockInfo, giveBack: () => Promise<void>, tookOver?: LockInfo): StateLock {
  let done: Promise<void> | undefined;
  const unlock = (): Promise<void> => {
    done ??= giveBack();
    return done;
  };
  return Object.assign(unlock, { info, ...(tookOver === undefined ? {} : { tookOver }) });
}

/** The error for an unlock with an id that is not the holder's. */
export function refuseUnlock(id: string, holder: LockInfo | undefined, state: string): never {
  if (holder === undefined) {
    fail({
      code: "state_not_locked",
      summary: "State is not locked",
      detail: `The state ${state} is held by nobody, so there is nothing to unlock.`,
    });
  }
  return fail({
    code: "state_lock_differs",
    summary: "State is locked by another",
    detail:
      `The lock with the id ${JSON.stringify(id)} is gone; the state ${state} is held by ${describeHolder(holder)}, ` +
      `whose lock has the id ${JSON.stringify(holder.id)}. Look again at who works on it before you unlock that one.`,
  });
}
