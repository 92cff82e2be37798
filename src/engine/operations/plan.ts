import { hasErrors } from "../../diagnostics";
import type { Plan } from "../model/plan";
import type { StackSource } from "../source/load-stacks";
import { overStacks, type RunEvent, type RunResult, type StackResult } from "./collect";
import type { PlanOptions } from "./open-stack";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** The plan of one stack. */
export interface PlannedStack extends StackResult {
  /** Undefined if the stack could not be planned. */
  readonly plan: Plan | undefined;
}

/** The options of a plan. */
export interface PlanRunOptions extends EngineOptions, PlanOptions {
  /**
   * False takes no lock and writes nothing: an interrupted run causes a warning and is not recovered. True by
   * default.
   */
  readonly lock?: boolean | undefined;
}

/**
 * Plans what applying the stacks would do.
 *
 * @example
 * const run = plan({ configuration: "infra" }, { providers: [createProvider()], env: process.env });
 * for await (const event of run.events) console.log(event.kind);
 * const { succeeded, stacks } = await run.result;
 */
export const plan = (source: StackSource, options: PlanRunOptions): Run<RunEvent, RunResult<PlannedStack>> =>
  overStacks<Pick<PlannedStack, "plan">>(source, options, {
    locksFor: options.lock === false ? undefined : "plan",
    reversed: options.mode === "destroy",
    compares: true,
    empty: { plan: undefined },
    work: async (stack) => {
      await (options.lock === false ? stack.read() : stack.recover());
      const planned = await stack.plan(options);
      const { diagnostics, hasChanges } = planned;
      const outcome = hasErrors(diagnostics) ? "failed" : hasChanges ? "found" : "nothing";
      return { outcome, diagnostics, details: { plan: planned } };
    },
  });
