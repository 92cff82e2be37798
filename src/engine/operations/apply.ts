import { hasErrors } from "../../diagnostics";
import type { OutputState } from "../../state";
import type { ChangeSummary, Plan } from "../model/plan";
import type { StackSource } from "../source/load-stacks";
import { overStacks, type RunEvent, type RunResult, type StackResult, type StackWorkResult } from "./collect";
import type { OpenStack, PlanOptions } from "./open-stack";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** The result of an apply in one stack. */
export interface AppliedStack extends StackResult {
  /** The plan, applied or not; undefined if the stack could not be planned. */
  readonly plan: Plan | undefined;
  /** The number of changed objects; undefined if the plan was not applied. */
  readonly done: ChangeSummary | undefined;
  /** The outputs in the state after the apply, by name, including sensitive ones. */
  readonly outputs: Readonly<Record<string, OutputState>>;
}

/** The options of an apply. */
export interface ApplyRunOptions extends EngineOptions, PlanOptions {
  /**
   * Decides whether to apply a plan that has changes, before anything is sent. Without it every plan is
   * applied. A rejected plan is not a failure.
   */
  readonly approve?: ((plan: Plan, stack: string | undefined) => boolean | Promise<boolean>) | undefined;
}

type Details = Pick<AppliedStack, "plan" | "done" | "outputs">;

const NOTHING: Details = { plan: undefined, done: undefined, outputs: {} };

/**
 * Plans and applies each stack in the order of dependencies; `mode: "destroy"` destroys everything. The state
 * is saved as objects change. A stack whose dependency failed is skipped.
 */
export const apply = (
  source: StackSource,
  options: ApplyRunOptions,
): Run<RunEvent, RunResult<AppliedStack>> =>
  overStacks<Details>(source, options, {
    locksFor: options.mode === "destroy" ? "destroy" : "apply",
    reversed: options.mode === "destroy",
    compares: true,
    waits: true,
    empty: NOTHING,
    work: (stack) => applyStack(stack, options),
  });

async function applyStack(stack: OpenStack, options: ApplyRunOptions): Promise<StackWorkResult<Details>> {
  await stack.recover();
  const plan = await stack.plan(options);
  const { diagnostics } = plan;
  const hasFailed = hasErrors(diagnostics);
  const details = { ...NOTHING, plan };
  if (!stack.canApply(plan)) return { outcome: "failed", diagnostics, details };
  if (plan.hasChanges && (await options.approve?.(plan, stack.name)) === false)
    return { outcome: hasFailed ? "failed" : "nothing", diagnostics, details };
  const result = await stack.apply(plan);
  const isDone = !hasFailed && !hasErrors(result.diagnostics);
  return {
    outcome: isDone ? "found" : "failed",
    diagnostics: [...diagnostics, ...result.diagnostics],
    details: { plan, done: result.done, outputs: result.state.outputs },
  };
}
