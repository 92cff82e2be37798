import { hasErrors } from "../../diagnostics";
import { applyPlan, createPlan, type DriftedObject, repairOf } from "../../engine";
import type { State } from "../../state";
import type { DriftArguments } from "../arguments/drift";
import { withoutUnseen } from "../drift/sieve";
import { isApproved } from "../run/approval";
import type { OpenStack, Outcome } from "../run/each-stack";
import type { Terminal } from "../terminal/terminal";
import type { ChangedStack } from "../views/approval";

/** What a drift run found in one stack. */
interface Found {
  readonly state: State | undefined;
  readonly drifted: readonly DriftedObject[];
  /** Addresses of objects that can't be seen, which the ignore file accepts. */
  readonly accepted: ReadonlySet<string>;
}

/** Shows what undoes the drift of one stack, asks, and does that and nothing else. */
export async function repairStack(
  stack: OpenStack,
  { state, drifted, accepted }: Found,
  { autoApprove }: DriftArguments,
  terminal: Terminal,
  changed: ChangedStack[],
): Promise<Outcome> {
  const { context, backend, view } = stack;
  const planned = await createPlan(context, state, "normal");
  const whole = { ...planned, diagnostics: withoutUnseen(planned.diagnostics, accepted) };
  await view.settle();
  const { plan, left } = repairOf(whole, drifted);
  for (const one of left) view.notRepaired(one);
  if (!plan.applicable || context.stop?.aborted) {
    view.diagnostics(whole.diagnostics);
    return "failed";
  }
  if (!plan.hasChanges) {
    view.diagnostics(whole.diagnostics);
    return hasErrors(whole.diagnostics) ? "failed" : "found";
  }
  view.plan(plan);
  if (!(await isApproved(stack, { mode: "normal", autoApprove }, terminal, changed))) return "failed";
  const result = await applyPlan(context, plan, backend);
  changed.push({ name: stack.name, done: result.done });
  await view.settle();
  view.applied("normal", result);
  if (hasErrors([...whole.diagnostics, ...result.diagnostics])) return "failed";
  return left.length > 0 ? "found" : "nothing";
}
