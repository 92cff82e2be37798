import { type Measured, steward } from "../support/command";
import type { ServiceProcess } from "../support/service-process";
import type { StackFolder } from "../support/stack-folder";
import type { Case, Figures, Split } from "./model";
import { splitOf } from "./split";
import type { Step } from "./steps";

/** Reports the measurement of a step. The measurement has a `split` if the command printed its events. */
export type Tell = (step: Step, measured: { readonly figures: Figures; readonly split?: Split }) => void;

/** The commands that run the steps of a case in a folder. */
export interface Commands {
  readonly service: ServiceProcess;
  readonly stack: StackFolder;
  /** Runs a step. Fails if the exit code of the command is not the expected one for the step. */
  readonly run: (step: Step) => Promise<Measured>;
  /** True if the commands print their events. */
  readonly hasEvents: boolean;
  /** The number of no-change plans to measure. */
  readonly plans: number;
}

/**
 * Returns the number of no-change plans to measure. The fastest plan counts. One plan is enough for a large case,
 * because noise matters less there.
 */
export const plansOf = ({ count }: Case): number => (count > 1000 ? 1 : 3);

/**
 * Runs the steps of a case in order: create, no-change plans, a changed plan, and destroy. Reports only the steps that
 * the case measures. If the case does not measure the create, the embedded engine creates the objects.
 */
export async function runCycle(
  { collection, count, steps }: Case,
  commands: Commands,
  tell: Tell,
): Promise<void> {
  const { stack, service, plans } = commands;
  const look = async (step: Step, times: number, synth: number): Promise<void> => {
    if (steps.includes(step)) tell(step, await measureStep(commands, step, times, synth));
  };
  const whole = await stack.synthesize(collection.resources(count));
  if (!steps.includes("apply")) await steward(["apply", "--auto-approve", ...stack.words], service.env);
  await look("apply", 1, whole);
  await look("plan", plans, whole);
  const changed = await stack.synthesize(collection.changed(count));
  await look("change", 1, changed);
  await look("destroy", 1, changed);
}

async function measureStep(
  { service, run, hasEvents }: Commands,
  step: Step,
  times: number,
  synth: number,
): Promise<{ figures: Figures; split?: Split }> {
  const runs: (Measured & { readonly requests: number })[] = [];
  await service.counters();
  for (let time = 0; time < times; time += 1) {
    const measured = await run(step);
    runs.push({ ...measured, requests: (await service.counters()).requests });
  }
  const { output, ...quickest } = runs.reduce((one, other) => (other.seconds < one.seconds ? other : one));
  const requests = Math.max(...runs.map((one) => one.requests));
  return {
    figures: { ...quickest, requests },
    ...(hasEvents && { split: splitOf(output, quickest.seconds, synth) }),
  };
}
