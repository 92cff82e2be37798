import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import {
  type ApplyResult,
  type DriftedObject,
  type OpenStack,
  type Plan,
  planRepair,
  type SkippedObject,
  type StackOutcome,
  type State,
} from "../../engine";
import type { DriftArguments } from "../arguments/drift";
import { withoutUnseen } from "../drift/finding-filter";
import { isApproved } from "../run/approval";
import type { Limits } from "../run/limits";
import type { Terminal } from "../terminal/terminal";
import type { ChangedStack } from "../views/approval";
import type { RunView } from "../views/run-view";

/** The findings of a drift run in one stack. */
interface DriftFindings {
  readonly drifted: readonly DriftedObject[];
  /** Addresses of unreadable objects that the ignore file accepts. */
  readonly accepted: ReadonlySet<string>;
}

/**
 * Shows the changes that restore the applied values in one stack, asks for approval, and applies them and
 * nothing else.
 */
export async function repairStack(
  stack: OpenStack,
  view: RunView,
  { drifted, accepted }: DriftFindings,
  args: DriftArguments,
  terminal: Terminal,
  guards: RepairGuards,
): Promise<StackOutcome> {
  const planned = await stack.plan({ requests: guards.limits.needRequests });
  const whole = { ...planned, diagnostics: withoutUnseen(planned.diagnostics, accepted) };
  const { plan, skipped } = planRepair(whole, drifted);
  const repair = { plan, skipped, diagnostics: whole.diagnostics, apply: () => stack.apply(plan) };
  return approveAndApply(stack, view, repair, args, terminal, guards);
}

/** The same for a state of another engine, which is never written. */
export async function repairState(
  stack: OpenStack,
  view: RunView,
  { drifted, state }: Pick<DriftFindings, "drifted"> & { readonly state: State },
  args: DriftArguments,
  terminal: Terminal,
  { limits }: RepairGuards,
): Promise<StackOutcome> {
  const repair = await stack.planStateRepair(state, drifted);
  const apply = () => stack.applyStateRepair(state, repair);
  return approveAndApply(
    stack,
    view,
    { ...repair, diagnostics: repair.plan.diagnostics, apply },
    args,
    terminal,
    { limits, changed: [] },
  );
}

/** What may refuse a repair, and what the stacks before have changed. */
interface RepairGuards {
  readonly limits: Limits;
  readonly changed: ChangedStack[];
}

/** A planned repair and how to apply it. */
interface ReadyRepair {
  readonly plan: Plan;
  readonly skipped: readonly SkippedObject[];
  readonly diagnostics: readonly Diagnostic[];
  readonly apply: () => Promise<ApplyResult>;
}

async function approveAndApply(
  stack: OpenStack,
  view: RunView,
  { plan, skipped, diagnostics, apply }: ReadyRepair,
  { autoApprove }: DriftArguments,
  terminal: Terminal,
  { limits, changed }: RepairGuards,
): Promise<StackOutcome> {
  await view.stopProgress();
  for (const left of skipped) view.tell({ kind: "notRepaired", left });
  if (!plan.applicable || stack.stop?.aborted) {
    view.diagnostics(diagnostics);
    return "failed";
  }
  if (!plan.hasChanges) {
    view.diagnostics(diagnostics);
    return hasErrors(diagnostics) ? "failed" : "found";
  }
  const { requests: _, ...shown } = plan;
  view.plan(shown);
  const refusals = limits.refusals(plan);
  if (refusals.length > 0) throw new DiagnosticError(refusals);
  if (!(await isApproved(stack, view, { mode: "normal", autoApprove }, terminal, changed))) return "failed";
  const result = await apply();
  changed.push({ name: stack.name, done: result.done });
  await view.stopProgress();
  view.applied("normal", result);
  if (hasErrors([...diagnostics, ...result.diagnostics])) return "failed";
  return skipped.length > 0 ? "found" : "nothing";
}
