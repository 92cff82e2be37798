import type { Case, EngineName } from "./model";
import type { Step } from "./steps";

type Estimate = (one: Case, step: Step) => number;

const isPlan = (step: Step): boolean => step === "plan" || step === "change";
const waiting = ({ count, latency }: Pick<Case, "count" | "latency">, width: number): number =>
  (count * latency) / 1000 / width;

/**
 * Estimates the seconds of a step, including its preparation. The factors were measured on a machine with two idle
 * cores.
 */
const ESTIMATES: Readonly<Record<EngineName, Estimate>> = {
  // The embedded engine runs each case twice.
  embedded: (one, step) =>
    isPlan(step) ? 1.2 + 0.0015 * one.count : 1.5 + 0.0025 * one.count + 3 * waiting(one, 50),
  terraform: ({ collection, ...one }, step) => {
    const resources = collection.isOne ? 1 : one.count;
    if (isPlan(step)) return 2.5 + 0.0065 * resources;
    // Terraform writes the whole state after each change, so this time grows with the square of the resources.
    return 1.8 + 0.01 * one.count + waiting(one, 10) + 1.6e-5 * resources ** 2;
  },
  gitlabform: (one) => 1.6 + 0.012 * one.count + waiting(one, 1),
};

/** Estimates the seconds that a case takes. */
export const secondsOf = (one: Case): number =>
  one.steps.reduce((sum, step) => sum + ESTIMATES[one.engine](one, step), 0);

/** Formats an estimated time without false precision. */
export function about(seconds: number): string {
  if (seconds < 90) return `about ${Math.ceil(seconds / 10) * 10} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `about ${minutes} minutes` : `about ${(minutes / 60).toFixed(1)} hours`;
}
