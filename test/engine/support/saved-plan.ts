import type { Diagnostic } from "../../../src/diagnostics";
import {
  type ApplyResult,
  type ExecutablePlan,
  formatPlanFile,
  parsePlanFile,
  type SavedPlan,
} from "../../../src/engine";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { contextFor } from "../../../src/engine/plan-file/basis";
import { confirmPlan } from "../../../src/engine/plan-file/confirm-plan";
import { savePlan } from "../../../src/engine/plan-file/save-plan";
import type { RunContext } from "../../../src/engine/stack-run/context";
import type { StateBackend } from "../../../src/state/backends/backend";

/** The version of Steward in the saved plans of tests. */
export const VERSION = "1.2.3";

/** Returns the text of a plan file that contains only this plan. */
export async function planText(context: RunContext, plan: ExecutablePlan): Promise<string> {
  const stacks = [{ plan: await savePlan(context, plan) }];
  return formatPlanFile({ source: { again: [] }, stacks }, "the file", VERSION);
}

/** Returns the plan from the text of a file that contains a single plan. */
export const planIn = (text: string): SavedPlan =>
  parsePlanFile(Buffer.from(text), "the file", VERSION).stacks[0]!.plan;

interface AppliedPlan {
  /** The reasons why the plan was not applied. */
  readonly refused: readonly Diagnostic[];
  readonly plan?: ExecutablePlan;
  readonly result?: ApplyResult;
}

/**
 * Applies a plan from its file only, as another process would do. The caller has checked that the state, the configuration
 * and the variables are unchanged.
 */
export async function applySaved(
  saved: SavedPlan,
  context: RunContext,
  backend: StateBackend,
): Promise<AppliedPlan> {
  const present = contextFor(saved, context);
  const { plan, diagnostics } = await confirmPlan(saved, present, await backend.read());
  if (plan === undefined) return { refused: diagnostics };
  return { refused: [], plan, result: await applyPlan(present, plan, backend) };
}
