import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { systemCode } from "./file-problem";

/** The data that identify a process, even after the process id is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The boot id and the PID namespace. The field is set only on Linux. */
  readonly realm?: string | undefined;
  /** The start time of the process, in the format of the system. The text is compared only with other start times. */
  readonly started?: string | undefined;
}

/** Milliseconds. */
const PS_TIMEOUT = 5_000;

let own: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  if (own?.pid !== process.pid) own = identityOf(process.pid);
  return own;
}

const identityOf = (pid: number): ProcessIdentity => ({
  pid,
  host: hostname(),
  realm: currentRealm(),
  started: findProcess(pid)?.started,
});

/**
 * Returns whether a process is certainly dead. Returns false for a process of another host, container or boot, because its end
 * can't be known. The host name is not enough, because two machines can have the same name.
 */
export function isDead(holder: ProcessIdentity): boolean {
  if (holder.host !== hostname() || holder.realm !== currentRealm()) return false;
  const found = findProcess(holder.pid);
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

/** Returns the start time of a running process, if it is known. Returns undefined for a dead process, and for a zombie. */
function findProcess(pid: number): { started?: string } | undefined {
  if (!isRunning(pid)) return undefined;
  return process.platform === "linux" ? readProc(pid) : runPs(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return systemCode(problem) !== "ESRCH";
  }
}

function readProc(pid: number): { started?: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the name of the program in parentheses. The name can contain spaces and
    // parentheses.
    const [state, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : { started: rest[18]! };
  } catch {
    // The process exists but can't be read, because /proc can hide processes of other users.
    return {};
  }
}

function runPs(pid: number): { started?: string } {
  if (process.platform === "win32") return {};
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], {
    encoding: "utf8",
    timeout: PS_TIMEOUT,
  });
  const started = (stdout ?? "").trim();
  return started === "" ? {} : { started };
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** Returns a digest of the values that identify a PID namespace: the host name, and on Linux the boot and the container. */
const namespaceDigest = ({ host, realm }: Pick<ProcessIdentity, "host" | "realm">): string =>
  digest(`${host}\0${realm ?? ""}`);

/**
 * Returns a text that identifies this process in names of temporary files. The text consists of letters, digits and
 * hyphens.
 */
export function processMark(): string {
  const own = ownIdentity();
  return `${own.pid}-${namespaceDigest(own)}-${digest(own.started ?? "")}`;
}

/**
 * Returns whether the process of a mark is certainly dead. Marks of earlier releases contain only the process
 * id, and count as marks of this machine.
 */
export function isMarkOfDead(mark: string): boolean {
  const [pid, where, started] = mark.split("-");
  if (where !== undefined && where !== namespaceDigest({ host: hostname(), realm: currentRealm() }))
    return false;
  const found = findProcess(Number(pid));
  if (found === undefined) return true;
  return started !== undefined && found.started !== undefined && digest(found.started) !== started;
}

/** Returns the identity of a process from the JSON of a lock; undefined if the JSON is invalid. */
export function identityFromJson(json: unknown): ProcessIdentity | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { pid, host, realm, started } = json as Readonly<Record<string, unknown>>;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1 || typeof host !== "string")
    return undefined;
  const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return { pid, host, realm: textOf(realm), started: textOf(started) };
}
