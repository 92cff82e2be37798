import { randomUUID } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { DiagnosticError, error } from "../../diagnostics";
import { identityFromJson, ownIdentity, type ProcessIdentity } from "../../files";
import { parseJson } from "../../json";
import { FOLLOWED_TERRAFORM_VERSION } from "../../language";
import { isJsonObject, type Json } from "../model/model";

/** Who holds a state, what for and since when. Written as Terraform writes it, with `Process` as our own addition. */
export interface LockInfo {
  /** Empty when the lock can't be read. */
  readonly id: string;
  readonly operation: string;
  readonly info: string;
  /** `user@host` */
  readonly who: string;
  readonly version: string;
  /** A time as in RFC 3339. */
  readonly created: string;
  readonly path: string;
  /** Only in locks of our own. */
  readonly process?: ProcessIdentity;
}

/** What a caller says of the lock that it wants. */
export interface LockRequest {
  /** What the state is locked for, such as `apply`. */
  readonly operation: string;
  readonly info?: string;
  /** The version that others are told; the release of Terraform whose format is followed, when left out. */
  readonly version?: string;
  /** How long to wait while somebody else holds it, in milliseconds; not at all when left out. */
  readonly timeoutMs?: number;
  /** Called once for each holder that has to be waited for. */
  readonly onWait?: (holder: LockInfo) => void;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** A lock that is held. Calling it gives it back. */
export type StateLock = (() => Promise<void>) & {
  readonly info: LockInfo;
  /** The lock of a process that had ended without giving it back, when this one took its place. */
  readonly tookOver?: LockInfo;
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
    // A container may run under a number that no account has.
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

/** Reads a lock; of a damaged one only that it is there. */
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

/** Who, what for, since when: one phrase for messages. */
export function describeHolder(holder: LockInfo): string {
  if (holder.id === "") return "somebody whose lock can't be read";
  const process =
    holder.process === undefined ? "" : ` (process ${holder.process.pid} on ${holder.process.host})`;
  const operation = holder.operation === "" ? "" : ` for "${holder.operation}"`;
  const since = holder.created === "" ? "" : ` since ${holder.created}`;
  return `${holder.who || "somebody"}${process}${operation}${since}`;
}

/** The error for a state that somebody else holds. */
export function lockedError(holder: LockInfo, state: string): DiagnosticError {
  const { id } = holder;
  const mend =
    id === ""
      ? `If nobody works on it, remove the lock at ${holder.path}.`
      : "Wait until it is done (`--lock-timeout 5m` waits for you). If it is certain that nobody works on it, run this command.";
  return new DiagnosticError(
    error({
      code: "state_locked",
      summary: "State is locked",
      detail: `The state ${state} is held by ${describeHolder(holder)}. Nothing was changed. ${mend}`,
      ...(id !== "" && { action: { kind: "unlock", id } }),
    }),
  );
}

/** The error for a lock that is taken by others each time that it could be had. */
export function restlessError(state: string): DiagnosticError {
  return new DiagnosticError(
    error({
      code: "state_locked",
      summary: "State is locked",
      detail:
        `The lock of the state ${state} is taken and given back all the time, or its folder does not show what is in it. ` +
        "Nothing was changed. Look at who works on it; `--lock-timeout 5m` tries for longer.",
    }),
  );
}

/** The error when somebody began to take over or to remove a lock, and does not come to an end. */
export function guardedError(holder: LockInfo, guard: string): DiagnosticError {
  return new DiagnosticError(
    error({
      code: "state_locked",
      summary: "State is locked",
      detail:
        `${describeHolder(holder)} began to change the lock beside it and did not finish. Nothing was changed. If that ` +
        `process is gone, delete ${guard}.`,
    }),
  );
}
