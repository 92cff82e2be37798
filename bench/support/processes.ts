// Measures the cost of processes that do not run on Node, from /proc. On systems other than Linux, the cost is unknown.
import { readdirSync, readFileSync } from "node:fs";

/**
 * The milliseconds between two looks at the memory. Linux keeps the peak of a living process, so only peaks in its last
 * moments are missed.
 */
const INTERVAL = 50;
/** The number of clock ticks per second. The number is the same on all machines that Node supports. */
const TICKS_A_SECOND = 100;

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

/**
 * Returns the fields of a process in /proc, from the field `state` on. These fields begin after the last parenthesis,
 * because the process name before it may contain spaces.
 */
const fieldsOf = (process: number | "self"): readonly string[] | undefined => {
  const stat = textOf(`/proc/${process}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
};

/** Returns the processor seconds of all child processes that have ended, and of their children. */
export function cpuOfChildren(): number | undefined {
  const fields = fieldsOf("self");
  return fields && (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
}

/**
 * Watches the memory of a process and its children. The returned function ends the watch and returns the peak memory of
 * these processes in MiB.
 */
export function watchMemory(root: number): () => number | undefined {
  let most: number | undefined;
  const look = (): void => {
    const sum = familyOf(root).reduce((all, process) => all + peakOf(process), 0);
    if (sum > (most ?? 0)) most = sum;
  };
  const timer = setInterval(look, INTERVAL);
  return () => {
    clearInterval(timer);
    return most;
  };
}

function familyOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const process of processes()) {
    const parent = Number(fieldsOf(process)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), process]);
  }
  const family = [root];
  // The loop adds to the list that it reads, and so finds children of children.
  for (const process of family) family.push(...(children.get(process) ?? []));
  return family;
}

const processes = (): number[] => {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

const peakOf = (process: number): number =>
  Number(/^VmHWM:\s*(\d+)/m.exec(textOf(`/proc/${process}/status`) ?? "")?.[1] ?? 0) / 1024;
