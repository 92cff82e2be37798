import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { type DiagnosticAction, DiagnosticError, error } from "../../diagnostics";
import { identityFromJson, ownIdentity, type ProcessIdentity } from "../../files";
import { parseJson } from "../../json";
import { FOLLOWED_TERRAFORM_VERSION } from "../../language";
import { isJsonObject, type Json } from "../model/model";

/**
 * The holder of a state's lock, its operation and time. In Terraform's format, with `Process` as an addition.
 */
export interface LockInfo {
  /** Empty if the lock is unreadable. */
  readonly id: string;
  readonly operation: string;
  readonly info: string;
  /** `user@host` */
  readonly who: string;
  readonly version: string;
  /** RFC 3339. */
  readonly created: string;
  readonly path: string;
  /** Only in locks of steward. */
  readonly process?: ProcessIdentity;
}

/** A request for a lock. */
export interface LockRequest {
  /** The operation, such as `apply`. */
  readonly operation: string;
  readonly info?: string;
  /** The version in the lock; by default the Terraform release whose format is used. */
  readonly version?: string;
  /** How long to wait for another holder, in milliseconds; by default not at all. */
  readonly timeoutMs?: number;
  /** Called once for each holder that is waited for. */
  readonly onWait?: (holder: LockInfo) => void;
  /** Cancels the wait. */
  readonly signal?: AbortSignal;
}

/** A held lock. Calling it releases the lock. */
export type StateLock = (() => Promise<void>) & {
  readonly info: LockInfo;
  /** The stale lock of a dead process that this one replaced. */
  readonly stale?: LockInfo;
};

export function newLockInfo(request: LockRequest, path: string): LockInfo {
  return {
    id: randomUUID(),
    operation: request.operation,
    info: request.info ?? "",
    who: `${userName()}@${hostname()}`,
    version: request.version ?? FOLLOWED_TERRAFORM_VERSION,
    created: new Date().toISOString(),
    path,
    process: ownIdentity(),
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without an account.
    return String(process.getuid?.() ?? "unknown");
  }
}

export function formatLockInfo(lock: LockInfo): string {
  return JSON.stringify({
    ID: lock.id,
    Operation: lock.operation,
    Info: lock.info,
    Who: lock.who,
    Version: lock.version,
    Created: lock.created,
    Path: lock.path,
    Process: lock.process,
  });
}

/** Parses a lock; an unreadable one yields empty fields. */
export function parseLockInfo(text: string, path: string): LockInfo {
  const fields = objectFrom(text);
  const word = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
  const holder = identityFromJson(fields["Process"]);
  return {
    id: word("ID"),
    operation: word("Operation"),
    info: word("Info"),
    who: word("Who"),
    version: word("Version"),
    created: word("Created"),
    path: word("Path") || path,
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

/** Holder, operation and time as a phrase for messages. */
export function describeHolder(holder: LockInfo): string {
  if (holder.id === "") return "an unknown holder, whose lock is unreadable";
  const process =
    holder.process === undefined ? "" : ` (process ${holder.process.pid} on ${holder.process.host})`;
  const operation = holder.operation === "" ? "" : ` for "${holder.operation}"`;
  const created = holder.created === "" ? "" : ` since ${holder.created}`;
  return `${holder.who || "somebody"}${process}${operation}${created}`;
}

/** The error for a state that another holder has locked. */
export function lockedError(holder: LockInfo, state: string): DiagnosticError {
  const { id } = holder;
  const found = `The state ${state} is locked by ${describeHolder(holder)}. Nothing was changed.`;
  if (id === "") return locked(`${found} If it is not in use, remove the lock at ${holder.path}.`);
  return locked(
    `${found} Wait until it is released (\`--lock-timeout 5m\` waits for you). If it is certainly not in use, run this command.`,
    { kind: "unlock", id },
  );
}

/** The error for a lock that other processes won at each attempt. */
export const contendedError = (state: string): DiagnosticError =>
  locked(
    `The lock of the state ${state} is acquired and released all the time, or its folder does ` +
      "not list its files correctly. Nothing was changed. Check which processes use it; `--lock-timeout " +
      "5m` tries for longer.",
  );

/**
 * The error for an unfinished takeover or removal of a lock.
 *
 * @param lock the id of that lock, whose removal by hand removes the guard as well
 */
export const guardedError = (holder: LockInfo, guard: string, lock?: string): DiagnosticError =>
  locked(
    `${describeHolder(holder)} started to change the lock and did not finish. Nothing was changed. ` +
      (lock === undefined
        ? `If that process is dead, delete ${guard}.`
        : `If that process is dead, run this command, which deletes ${guard} too.`),
    lock === undefined ? undefined : { kind: "unlock", id: lock },
  );

const locked = (detail: string, action?: DiagnosticAction): DiagnosticError =>
  new DiagnosticError(
    error({ code: "state_locked", summary: "State is locked", detail, ...(action && { action }) }),
  );
