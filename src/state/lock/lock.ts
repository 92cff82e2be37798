import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../../diagnostics";
import type { LockAttempt } from "./lock-file";
import {
  contendedError,
  describeHolder,
  type LockInfo,
  type LockRequest,
  lockedError,
  type StateLock,
} from "./lock-info";

const POLL_MS = 250;
/**
 * How often in a row a lock may be released between the attempt to acquire it and the reading of its holder.
 */
const MAX_VANISHED = 100;
const VANISHED_PAUSE_MS = 5;

/**
 * Tries until the lock is acquired or the timeout is over. Each attempt decides whether a held lock is stale.
 *
 * @throws DiagnosticError `state_locked`
 */
export async function acquire(
  attempt: () => Promise<LockAttempt>,
  request: LockRequest,
  state: string,
): Promise<LockInfo | undefined> {
  const deadline = performance.now() + (request.timeoutMs ?? 0);
  let reported: string | undefined;
  let vanished = 0;
  for (;;) {
    const result = await attempt();
    if (result.isTaken) return result.stale;
    const remaining = deadline - performance.now();
    if (result.holder === undefined) {
      if (++vanished > MAX_VANISHED && remaining <= 0) throw contendedError(state);
      await wait(VANISHED_PAUSE_MS, request, state);
      continue;
    }
    vanished = 0;
    if (remaining <= 0) throw lockedError(result.holder, state);
    if (reported !== result.holder.id) request.onWait?.(result.holder);
    reported = result.holder.id;
    await wait(Math.min(POLL_MS, remaining), request, state);
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

/** A held lock, released once however often it is called. */
export function heldLock(info: LockInfo, release: () => Promise<void>, stale?: LockInfo): StateLock {
  let done: Promise<void> | undefined;
  const unlock = (): Promise<void> => {
    done ??= release();
    return done;
  };
  return Object.assign(unlock, { info, ...(stale === undefined ? {} : { stale }) });
}

/** The error for an unlock with the wrong id. */
export function unlockError(id: string, holder: LockInfo | undefined, state: string): never {
  if (holder === undefined) {
    fail({
      code: "state_not_locked",
      summary: "State is not locked",
      detail: `The state ${state} is not locked, so there is nothing to unlock.`,
    });
  }
  return fail({
    code: "state_lock_differs",
    summary: "State is locked by another holder",
    detail:
      `The lock with the id ${JSON.stringify(id)} was released; the state ${state} is locked ` +
      `by ${describeHolder(holder)}, whose lock has the id ${JSON.stringify(holder.id)}. Check ` +
      "who uses it before you remove that one.",
  });
}
