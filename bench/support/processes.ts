// The cost of processes other than Node's, as Linux reports it in /proc; unknown on other systems.
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two looks. Linux keeps the peak of a living process, so only its last moments go unseen. */
const INTERVAL = 50;
/** The length of a tick on every machine that Node runs on. */
const TICKS_A_SECOND = 100;

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};

/** The fields of a process that follow its name, from its state on: the name may hold anything. */
const fieldsOf = (process: number | "self"): readonly string[] | undefined => {
  const stat = textOf(`/proc/${process}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
};

/** Seconds that the processor worked for the children of this process that ended, and for theirs. */
export function cpuOfChildren(): number | undefined {
  const fields = fieldsOf("self");
  return fields && (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
}

/** Watches a process and its children; the returned function ends the watch, and returns their peak memory in MiB. */
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
  // The list grows during the loop.
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
