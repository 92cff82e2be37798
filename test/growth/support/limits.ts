import { readFileSync } from "node:fs";
import path from "node:path";
import type { Counted, Growing } from "./results";

interface Limit {
  readonly atMost: number;
  /** The limits of operations for which the usual limit is too low. */
  readonly operations: Readonly<Record<string, number>>;
}

interface Limits {
  readonly work: Limit & {
    /** The files whose places may grow faster than their input, by scene. */
    readonly steep: Readonly<Record<string, readonly string[]>>;
  };
}

export const readLimits = (): Limits =>
  JSON.parse(readFileSync(path.join(__dirname, "..", "..", "..", "bench", "budgets.json"), "utf8")).growth;

type Named = Pick<Counted, "scene" | "operation">;

export const limitOf = ({ atMost, operations }: Limit, { scene, operation }: Named): number =>
  operations[`${scene}: ${operation}`] ?? atMost;

export const ratioOf = ({ from, to }: Pick<Counted, "from" | "to">): number => to / from;

/** Returns the places that grow faster than their input, except places in the files of `steep`. */
export const unknownIn = ({ scene, growing }: Counted, { work }: Limits): Growing[] =>
  growing.filter(({ what }) => !work.steep[scene]?.includes(what.split(" ")[0]!));

export const described = ({ what, line, from, to }: Growing): string =>
  `${what} (line ${line}): ${from} -> ${to}`;
