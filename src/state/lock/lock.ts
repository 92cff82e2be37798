import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type DiagnosticAction, DiagnosticError, error, fail } from "../../diagnostics";
import { identityFromJson, ownIdentity, type ProcessIdentity } from "../../files";
import { parseJson } from "../../json";
import { FOLLOWED_TERRAFORM_VERSION } from "../../language";
import { isJsonObject, type Json } from "../model/model";

/** The holder of a state's lock, with its operation and time. The format is Terraform's, with the additional field `Process`. */
export interface LockInfo {
  /** The id of the lock; empty if the lock is unreadable. */
  readonly id: string;
  readonly operation: string;
  /** The place where the holder runs, for people, such as a CI job. Empty outside of CI. */
  readonly info: string;
  /** `user@host` */
  readonly who: string;
  readonly version: string;
  /** RFC 3339. */
  readonly created: string;
  readonly path: string;
  /** The process of the holder. Only locks of Steward contain this field. */
  readonly process?: ProcessIdentity;
}

export interface LockRequest {
  /** The operation, such as `apply`. */
  readonly operation: string;
  /** The place where this process runs, for people, such as a CI job with its URL. */
  readonly info?: string | undefined;
  /** The maximum time in milliseconds to wait until another holder releases the lock. By default, there is no wait. */
  readonly timeoutMs?: number;
  /** Is called with the lock's holder before the wait, and again if the lock gets another holder during the wait. */
  readonly onWait?: (holder: LockInfo) => void;
  /** The signal that cancels the wait. */
  readonly signal?: AbortSignal;
}

/** A held lock. Call this function to release the lock. */
export type StateLock = (() => Promise<void>) & {
  readonly info: LockInfo;
  /** The stale lock of a dead process that this lock replaced. */
  readonly stale?: LockInfo;
};

export const newLockInfo = ({ operation, info = "" }: LockRequest, path: string): LockInfo => ({
  id: randomUUID(),
  operation,
  info,
  who: `${userName()}@${hostname()}`,
  version: FOLLOWED_TERRAFORM_VERSION,
  created: new Date().toISOString(),
  path,
  process: ownIdentity(),
});

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container can run under a user id without an account.
    return String(process.getuid?.() ?? "unknown");
  }
}

/** The names of the fields in a lock file. */
const NAMES = {
  id: "ID",
  operation: "Operation",
  info: "Info",
  who: "Who",
  version: "Version",
  created: "Created",
  path: "Path",
} as const;

type Words = Pick<LockInfo, keyof typeof NAMES>;

const inWords = (convert: (field: keyof Words, name: string) => readonly [string, string]) =>
  Object.fromEntries(Object.entries(NAMES).map(([field, name]) => convert(field as keyof Words, name)));

export const formatLockInfo = (lock: LockInfo): string =>
  JSON.stringify({ ...inWords((field, name) => [name, lock[field]]), Process: lock.process });

/** Parses a lock. An unreadable lock yields empty fields. */
export function parseLockInfo(text: string, path: string): LockInfo {
  const fields = objectFrom(text);
  const words = inWords((field, name) => [field, typeof fields[name] === "string" ? fields[name] : ""]);
  const holder = identityFromJson(fields["Process"]);
  return {
    ...(words as unknown as Words),
    path: words["path"] || path,
    ...(holder === undefined ? {} : { process: holder }),
  };
}

function objectFrom(text: string): { [key: string]: Json } {
  try {
    const value = parseJson(text) as Json;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Describes holder, operation and time in a phrase for messages. */
export function describeHolder(holder: LockInfo): string {
  if (holder.id === "") return "an unknown process (the lock is unreadable)";
  const process =
    holder.process === undefined ? "" : ` (process ${holder.process.pid} on ${holder.process.host})`;
  const operation = holder.operation === "" ? "" : ` for "${holder.operation}"`;
  const info = holder.info === "" ? "" : ` in ${holder.info},`;
  const created = holder.created === "" ? "" : ` since ${holder.created}`;
  return `${holder.who || "somebody"}${process}${info}${operation}${created}`;
}

/** Returns the error for a state that another holder has locked. */
export function lockedError(holder: LockInfo, state: string): DiagnosticError {
  const { id } = holder;
  const found = `The state ${state} is locked by ${describeHolder(holder)}. Nothing was changed.`;
  if (id === "") return locked(`${found} If no run uses the state, remove the lock at ${holder.path}.`);
  return locked(
    `${found} Wait until it is released, for example with \`--lock-timeout 5m\`. If no run uses the state, remove the lock with this command.`,
    { kind: "unlock", id },
  );
}

/** Returns the error for a lock that other processes acquired before each attempt of this process. */
const contendedError = (state: string): DiagnosticError =>
  locked(
    `Other processes take the lock of the state ${state} at each attempt, or its folder does ` +
      "not list its files correctly. Nothing was changed. Check which processes use it, or wait longer with " +
      "`--lock-timeout 5m`.",
  );

/**
 * Returns the error for an unfinished takeover or removal of a lock.
 *
 * @param lock the id of the lock; absent if the user has to delete the guard and can't use `steward unlock`
 */
export const guardedError = (holder: LockInfo, guard: string, lock?: string): DiagnosticError =>
  locked(
    `${describeHolder(holder)} started to change the lock and did not finish. Nothing was changed. ` +
      (lock === undefined
        ? `If that process has ended, delete ${guard}.`
        : `If that process has ended, run this command, which also deletes ${guard}.`),
    lock === undefined ? undefined : { kind: "unlock", id: lock },
  );

const locked = (detail: string, action?: DiagnosticAction): DiagnosticError =>
  new DiagnosticError(
    error({ code: "state_locked", summary: "State is locked", detail, ...(action && { action }) }),
  );

const POLL_MS = 250;
/** The maximum number of consecutive attempts in which the lock is released before this process reads the holder. */
const MAX_VANISHED = 100;
const VANISHED_PAUSE_MS = 5;

/** The result of one attempt to lock. `holder` is absent if the lock was released before its holder was read. */
export type LockAttempt =
  | { readonly isTaken: true; readonly stale?: LockInfo }
  | { readonly isTaken: false; readonly holder?: LockInfo };

/** The operations of a storage on its lock. */
interface LockStorage {
  /** Tries once to acquire the lock. Also decides whether a held lock is stale, and takes over a stale lock. */
  attempt(info: LockInfo): Promise<LockAttempt>;
  /** Releases the lock. Called only once, even if the caller releases the lock several times. */
  release(info: LockInfo): Promise<void>;
}

/**
 * Tries until the lock is acquired or the timeout ends.
 *
 * @throws DiagnosticError `state_locked`
 */
export async function acquire(request: LockRequest, state: string, storage: LockStorage): Promise<StateLock> {
  const info = newLockInfo(request, state);
  const deadline = performance.now() + (request.timeoutMs ?? 0);
  let reported: string | undefined;
  let vanished = 0;
  for (;;) {
    const result = await storage.attempt(info);
    if (result.isTaken) return heldLock(info, result.stale, () => storage.release(info));
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

/** Returns a function that releases the lock. Only the first call releases the lock. */
function heldLock(info: LockInfo, stale: LockInfo | undefined, release: () => Promise<void>): StateLock {
  let done: Promise<void> | undefined;
  const unlock = (): Promise<void> => {
    done ??= release();
    return done;
  };
  return Object.assign(unlock, { info, ...(stale && { stale }) });
}

async function wait(milliseconds: number, { signal }: LockRequest, state: string): Promise<void> {
  await pause(milliseconds, undefined, signal ? { signal } : {}).catch(() => interrupted(state));
}

const interrupted = (state: string): never =>
  fail({
    code: "interrupted",
    summary: "Interrupted",
    detail: `The run was interrupted while it waited for the lock of the state ${state}. Nothing was changed in this state. Run the command again.`,
  });

/** Throws the error for an unlock with the wrong id. */
export function unlockError(id: string, holder: LockInfo | undefined, state: string): never {
  if (holder === undefined) {
    fail({
      code: "state_not_locked",
      summary: "State is not locked",
      detail: `The state ${state} has no lock.`,
    });
  }
  return fail({
    code: "state_lock_differs",
    summary: "No lock with this ID",
    detail: `The state ${state} has no lock with the ID ${JSON.stringify(id)}. Its lock is held by ${describeHolder(holder)} and has the ID ${JSON.stringify(holder.id)}. Before you remove that lock, check that its run has ended.`,
  });
}
