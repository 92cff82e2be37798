import { availableParallelism, cpus } from "node:os";

/** The Node version and the processor of this machine. Measured times can be compared only on the same machine. */
export const machine = `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}`;

/** A measured value, with the limit that it must keep. */
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

/** The units whose values are always above zero. */
const NEVER_ZERO = new Set(["ms", "s", "s clock", "s processor", "µs", "MB", "×", "times"]);

/** The units of differences, whose values may be below zero. */
const SIGNED = new Set(["ms more", "%"]);

/**
 * Returns false for a value that no measurement can have. If a measured program fails, its time can be missing, and a
 * ratio with it is infinite or NaN.
 */
export function isPossible({ value, unit }: Figure): boolean {
  if (!Number.isFinite(value)) return false;
  if (SIGNED.has(unit)) return true;
  return NEVER_ZERO.has(unit) ? value > 0 : value >= 0;
}

/**
 * Fails the bench if a figure is impossible.
 * @throws Error with the name of the figure
 */
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

/**
 * Prints a figure with its limit, and marks a figure that misses the limit.
 * @throws Error if the figure is impossible
 */
export function print(figure: Figure): void {
  refuseImpossible(figure);
  const mark = missed(figure) ? "  MISSED" : "";
  const value = `${rounded(figure.value)} ${figure.unit}`;
  process.stdout.write(`${figure.name.padEnd(58)} ${value.padStart(14)}   ${aimOf(figure)}${mark}\n`);
}

/**
 * Returns a figure in a few words, for lines that contain several figures.
 * @throws Error if the figure is impossible
 */
export function brief(figure: Figure): string {
  refuseImpossible(figure);
  const { value, unit, atMost } = figure;
  const aim = atMost === undefined ? "" : ` (≤ ${rounded(atMost)}${missed(figure) ? " MISSED" : ""})`;
  return `${rounded(value)} ${unit}${aim}`;
}

/** Returns the median of several measurements, so that a single slow or fast run does not matter. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
