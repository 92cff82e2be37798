import { availableParallelism, cpus } from "node:os";

/** What measures here: times mean little without it. */
export const machine = `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}`;

/** One measured figure with what it should be at the most, or at the least. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export const rounded = (value: number): string =>
  Math.abs(value) >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toPrecision(3);

export const missed = ({ value, atMost, atLeast }: Figure): boolean =>
  (atMost !== undefined && value > atMost) || (atLeast !== undefined && value < atLeast);

function aimOf({ atMost, atLeast, unit }: Figure): string {
  if (atMost !== undefined) return `aim: at most ${rounded(atMost)} ${unit}`;
  return atLeast === undefined ? "" : `aim: at least ${rounded(atLeast)} ${unit}`;
}

/** Prints a figure with its aim; a missed one is marked. */
export function print(figure: Figure): void {
  const mark = missed(figure) ? "  MISSED" : "";
  const value = `${rounded(figure.value)} ${figure.unit}`;
  process.stdout.write(`${figure.name.padEnd(58)} ${value.padStart(14)}   ${aimOf(figure)}${mark}\n`);
}

/** A figure in a few words, for lines that hold several. */
export function brief(figure: Figure): string {
  const { value, unit, atMost } = figure;
  const aim = atMost === undefined ? "" : ` (≤ ${rounded(atMost)}${missed(figure) ? " MISSED" : ""})`;
  return `${rounded(value)} ${unit}${aim}`;
}

/** The middle one of several measurements; a single slow or lucky run does not move it. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
