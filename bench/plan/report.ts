import { loadavg } from "node:os";
import { brief } from "../figures";
import { aimsOf } from "./aims";
import type { Tell } from "./cycle";
import type { Case, Figures, Measurements, Split } from "./model";
import { STEPS, type Step } from "./steps";

const COMMANDS: Readonly<Record<Step, string>> = {
  apply: "apply, from nothing",
  plan: "plan, no change",
  change: "plan, one change",
  destroy: "destroy",
};
/** It has no plan: a run executes its changes. */
const RUNS: Readonly<Record<Step, string>> = {
  apply: "run, from nothing",
  plan: "run, no change",
  change: "run, one change",
  destroy: "run, to nothing",
};

export const titleOf = ({ collection, count, latency, engine, steps }: Case): string =>
  `${collection.title}: ${count}, at ${latency} ms, ${engine}${steps.length < STEPS.length ? `: ${steps.join(", ")}` : ""}`;

/** Prints what is measured of a case as it comes, and keeps it. */
export class CaseReport {
  readonly #case: Case;
  #measurements: Measurements = {};

  constructor(one: Case) {
    this.#case = one;
    process.stdout.write(`\n${titleOf(one)} (load ${loadavg()[0]!.toFixed(1)})\n`);
  }

  /** A step may be reported again, with a split: its first figures are kept. */
  readonly tell: Tell = (step, { figures, split }) => {
    const known = this.#measurements[step];
    if (known === undefined) process.stdout.write(`${this.#line(step, figures)}\n`);
    this.#measurements = { ...this.#measurements, [step]: { ...figures, ...known, ...(split && { split }) } };
  };

  /** Prints the split of the time, and returns all measurements. */
  end(): Measurements {
    const splits = Object.entries(this.#measurements).filter(([, { split }]) => split !== undefined);
    if (splits.length > 0) process.stdout.write("    where the time goes, in seconds\n");
    for (const [step, { split }] of splits) process.stdout.write(`    ${step.padEnd(9)}${partsOf(split!)}\n`);
    return this.#measurements;
  }

  #line(step: Step, { requests, seconds, cpu, megabytes }: Figures): string {
    const aims = aimsOf(this.#case, step);
    const figure = (value: number | undefined, unit: string, atMost?: number): string =>
      value === undefined ? "" : brief({ name: step, value, unit, ...(atMost !== undefined && { atMost }) });
    const cells = [
      figure(requests, "requests", aims.requests).padEnd(30),
      figure(seconds, "s", aims.seconds).padEnd(24),
      figure(cpu, "s of processor").padEnd(22),
      figure(megabytes, "MB"),
    ];
    const names = this.#case.engine === "gitlabform" ? RUNS : COMMANDS;
    return `  ${names[step].padEnd(22)}${cells.join("")}`.trimEnd();
  }
}

const partsOf = ({ synth, startUp, load, refresh, diff, write }: Split): string =>
  Object.entries({ synth, "start-up": startUp, load, refresh, diff, write })
    .map(([name, seconds]) => `${name} ${seconds.toFixed(2)}`.padEnd(15))
    .join("")
    .trimEnd();
