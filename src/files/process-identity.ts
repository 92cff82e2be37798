import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "./system-code";

/** Tells a process from every other one, also from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** On Linux: which start of which machine, and which container's numbering of processes. */
  readonly realm?: string | undefined;
  /** When it started, in whatever unit the system counts. */
  readonly started?: string;
}

/** Milliseconds. */
const PS_TIMEOUT = 5_000;

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  own ??= identityOf(process.pid);
  return own;
}

function identityOf(pid: number): ProcessIdentity {
  const realm = currentRealm();
  const started = look(pid)?.started;
  return {
    pid,
    host: hostname(),
    ...(realm === undefined ? {} : { realm }),
    ...(started === undefined ? {} : { started }),
  };
}

/**
 * Whether this process certainly runs no more. Of another host, another container or another start of the machine
 * that can't be known from here, and the answer is no: two machines may share a name.
 */
export function isGone(holder: ProcessIdentity): boolean {
  if (holder.host !== hostname() || holder.realm !== currentRealm()) return false;
  const found = look(holder.pid);
  if (found === undefined) return true;
  return holder.started !== undefined && found.started !== undefined && holder.started !== found.started;
}

function currentRealm(): string | undefined {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

/** A process that runs; undefined when there is none. One that ended and was not yet collected runs no more. */
function look(pid: number): { started?: string } | undefined {
  if (!exists(pid)) return undefined;
  return process.platform === "linux" ? lookInProc(pid) : lookWithPs(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return systemCode(problem) !== "ESRCH";
  }
}

function lookInProc(pid: number): { started?: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses and may hold anything, spaces and parentheses too.
    const [state, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : { started: rest[18]! };
  } catch {
    // It is there, yet can't be looked at: /proc may hide what belongs to other users.
    return {};
  }
}

function lookWithPs(pid: number): { started?: string } {
  if (process.platform === "win32") return {};
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: PS_TIMEOUT,
  });
  const started = (stdout ?? "").trim();
  return started === "" ? {} : { started };
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** Stands for where processes are told apart by their numbers: a host, and on Linux a start of it and a container. */
const whereabouts = ({ host, realm }: Pick<ProcessIdentity, "host" | "realm">): string =>
  digest(`${host}\0${realm ?? ""}`);

/** A process in the name of a file: letters, digits and hyphens. */
export function ownMark(): string {
  const own = ownIdentity();
  return `${own.pid}-${whereabouts(own)}-${digest(own.started ?? "")}`;
}

/**
 * Whether the process that a mark names certainly runs no more. A mark of an earlier release is the number alone, and
 * counts as one of this machine.
 */
export function isMarkOfGone(mark: string): boolean {
  const [pid, where, started] = mark.split("-");
  if (where !== undefined && where !== whereabouts({ host: hostname(), realm: currentRealm() })) return false;
  const found = look(Number(pid));
  if (found === undefined) return true;
  return started !== undefined && found.started !== undefined && digest(found.started) !== started;
}

/** The identity that a file tells of; undefined where it tells none. */
export function identityFromJson(json: unknown): ProcessIdentity | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { pid, host, realm, started } = json as Readonly<Record<string, unknown>>;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1 || typeof host !== "string")
    return undefined;
  return {
    pid,
    host,
    ...(typeof realm === "string" ? { realm } : {}),
    ...(typeof started === "string" ? { started } : {}),
  };
}
