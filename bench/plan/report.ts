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
/** The names of steps for gitlabform, which has no plan: each run executes its changes. */
const RUNS: Readonly<Record<Step, string>> = {
  apply: "run, from nothing",
  plan: "run, no change",
  change: "run, one change",
  destroy: "run, to nothing",
};

export const titleOf = ({ collection, count, latency, engine, steps }: Case): string =>
  `${collection.title}: ${count}, at ${latency} ms, ${engine}${steps.length < STEPS.length ? `: ${steps.join(", ")}` : ""}`;

/** Prints the measurements of a case as soon as they are there, and collects them. */
export class CaseReport {
  readonly #case: Case;
  #measurements: Measurements = {};

  constructor(one: Case) {
    this.#case = one;
    process.stdout.write(`\n${titleOf(one)} (load ${loadavg()[0]!.toFixed(1)})\n`);
  }

  /**
   * Adds the measurement of a step. A step may be reported again to add its split. The report then keeps the first
   * figures of the step.
   */
  readonly tell: Tell = (step, { figures, split }) => {
    const known = this.#measurements[step];
    if (known === undefined) process.stdout.write(`${this.#line(step, figures)}\n`);
    this.#measurements = { ...this.#measurements, [step]: { ...figures, ...known, ...(split && { split }) } };
  };

  /** Prints how the time is split by phase, and returns all measurements of the case. */
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
