import { hasErrors } from "../../diagnostics";
import type { OutputState } from "../../state";
import type { ChangeSummary, Plan } from "../model/plan";
import type { StackSource } from "../source/load-stacks";
import { type Found, overStacks, type RunEvent, type RunResult, type StackResult } from "./collect";
import type { OpenStack, PlanOptions } from "./open-stack";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** What an apply did in one stack. */
export interface AppliedStack extends StackResult {
  /** The plan that was applied, or was not; nothing where the stack could not be planned at all. */
  readonly plan: Plan | undefined;
  /** How many objects were changed; nothing where the plan was not applied. */
  readonly done: ChangeSummary | undefined;
  /** The outputs in the state afterwards, by their names. Sensitive ones are among them. */
  readonly outputs: Readonly<Record<string, OutputState>>;
}

/** How stacks are applied. */
export interface ApplyRunOptions extends EngineOptions, PlanOptions {
  /**
   * Decides whether a plan is applied, before anything of it is sent; asked only where there is something to do. Without
   * it every plan is applied. A refused stack is not a failed one.
   */
  readonly approve?: ((plan: Plan, stack: string | undefined) => boolean | Promise<boolean>) | undefined;
}

type Details = Pick<AppliedStack, "plan" | "done" | "outputs">;

const NOTHING: Details = { plan: undefined, done: undefined, outputs: {} };

/**
 * Plans each stack and applies it, in the order of their dependencies; `mode: "destroy"` takes everything away. The state
 * is saved as objects are made. A stack is skipped where one that it depends on failed.
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

async function applyStack(stack: OpenStack, options: ApplyRunOptions): Promise<Found<Details>> {
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
