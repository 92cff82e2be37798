import path from "node:path";
import { type SimulatedProcess, simulation } from "../time/simulation";
import { systemError, Volume } from "./volume";

/** A fault that the simulator causes in a run's calls to the disk. */
export interface DiskFault {
  /**
   * The number of the first call that fails. The first call that writes has the number 1, and only calls that write are
   * counted.
   */
  readonly write: number;
  /** The number of consecutive calls that fail. The default is 1. */
  readonly times?: number;
  readonly fault: "full" | "io";
}

/** The folders of an app with at most four stacks. */
const FOLDERS = ["/", "/app", "/app/cdktf.out", "/app/cdktf.out/stacks"].concat(
  ["a", "b", "c", "d"].map((stack) => `/app/cdktf.out/stacks/${stack}`),
);

/** The disk of the simulated machine. All runners share this disk. */
export class Disk {
  readonly volume: Volume;
  readonly #disturbed = new Map<
    SimulatedProcess,
    { readonly faults: readonly DiskFault[]; writes: number }
  >();

  /** The number of disk calls that failed. */
  failures = 0;

  /** @param folders the folders that the disk has in addition to `FOLDERS` */
  constructor(folders: readonly string[] = []) {
    this.volume = new Volume([...FOLDERS, ...folders]);
  }

  /** Sets the faults of the disk calls of one process. */
  disturb(process: SimulatedProcess, faults: readonly DiskFault[]): void {
    this.#disturbed.set(process, { faults, writes: 0 });
  }

  /**
   * Counts a writing call of the current process.
   * @throws ENOSPC or EIO if a fault hits this call
   */
  checkWrite(call: string, file: string): void {
    const found = this.#disturbed.get(simulation().current!);
    if (found === undefined) return;
    found.writes += 1;
    const hit = found.faults.find(
      ({ write, times = 1 }) => found.writes >= write && found.writes < write + times,
    );
    if (hit === undefined) return;
    this.failures += 1;
    throw systemError(hit.fault === "io" ? "EIO" : "ENOSPC", call, file);
  }
}

let current: Disk | undefined;

export function disk(): Disk {
  if (current === undefined) throw new Error("No disk is simulated");
  return current;
}

export function useDisk(next: Disk): void {
  current = next;
}

export const absolute = (file: string): string => path.resolve("/app", file);

/** The longest time that a call of the disk takes, in milliseconds. */
const SLOWEST_CALL = 0.4;

/**
 * Executes an asynchronous disk call. The call takes a moment, and the process can die before or after the call takes
 * effect.
 */
export function diskCall<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    const world = simulation();
    if (!world.call()) return;
    world.after(world.random.next() * SLOWEST_CALL, () => {
      let result: { readonly value: T } | { readonly error: unknown };
      try {
        result = { value: work() };
      } catch (error) {
        result = { error };
      }
      if (!world.call()) return;
      if ("value" in result) resolve(result.value);
      else reject(result.error);
    });
  });
}

/** Executes a synchronous disk call. A dead process gets an error, because nothing else can stop synchronous code. */
export function diskCallNow<T>(work: () => T): T {
  if (!simulation().call()) throw new Error("This process is dead");
  return work();
}

/** Returns the content of a file below `/proc`: the boot id, or the status of a living process. */
export function procFile(file: string): string | undefined {
  const world = simulation();
  if (file === "/proc/sys/kernel/random/boot_id") return `boot-${world.boot}\n`;
  const pid = /^\/proc\/(\d+)\/stat$/.exec(file)?.[1];
  const found = world.processes.find((process) => String(process.pid) === pid && process.isAlive);
  if (found === undefined) return undefined;
  return `${pid} (node) S ${Array.from({ length: 18 }, () => "0").join(" ")} ${found.started} 0`;
}
