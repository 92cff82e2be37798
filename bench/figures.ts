import { availableParallelism, cpus } from "node:os";

/** The measuring machine: without it, times mean little. */
export const machine = `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}`;

/** A measured figure with its upper or lower limit. */
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

/** Units in which no measurement gives 0. */
const NEVER_ZERO = new Set(["ms", "s", "s clock", "s processor", "µs", "MB", "×", "times"]);

/** Differences, which may be below zero. */
const SIGNED = new Set(["ms more", "%"]);

/** Whether a measurement can have given this: a program that fails leaves no time, and a ratio to it is infinite or no number. */
export function isPossible({ value, unit }: Figure): boolean {
  if (!Number.isFinite(value)) return false;
  if (SIGNED.has(unit)) return true;
  return NEVER_ZERO.has(unit) ? value > 0 : value >= 0;
}

/** Fails the bench for a figure that is impossible. @throws Error that names it */
function refuseImpossible(figure: Figure): void {
  if (isPossible(figure)) return;
  throw new Error(
    `${figure.name.trim()}: ${figure.value} ${figure.unit} is impossible. The measurement failed.`,
  );
}

function aimOf({ atMost, atLeast, unit }: Figure): string {
  if (atMost !== undefined) return `aim: at most ${rounded(atMost)} ${unit}`;
  return atLeast === undefined ? "" : `aim: at least ${rounded(atLeast)} ${unit}`;
}

/** Prints a figure with its aim; a missed one is marked. @throws Error for a figure that is impossible */
export function print(figure: Figure): void {
  refuseImpossible(figure);
  const mark = missed(figure) ? "  MISSED" : "";
  const value = `${rounded(figure.value)} ${figure.unit}`;
  process.stdout.write(`${figure.name.padEnd(58)} ${value.padStart(14)}   ${aimOf(figure)}${mark}\n`);
}

/** A figure in a few words, for lines that hold several. @throws Error for a figure that is impossible */
export function brief(figure: Figure): string {
  refuseImpossible(figure);
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
