import { hasErrors } from "../../diagnostics";
import { type DriftedObject, type OpenStack, type Outcome, repairOf } from "../../engine";
import type { DriftArguments } from "../arguments/drift";
import { withoutUnseen } from "../drift/finding-filter";
import { isApproved } from "../run/approval";
import type { Terminal } from "../terminal/terminal";
import type { ChangedStack } from "../views/approval";
import type { RunView } from "../views/run-view";

/** What a drift run found in one stack. */
interface Found {
  readonly drifted: readonly DriftedObject[];
  /** Addresses of objects that can't be seen, which the ignore file accepts. */
  readonly accepted: ReadonlySet<string>;
}

/** Shows what undoes the drift of one stack, asks, and does that and nothing else. */
export async function repairStack(
  stack: OpenStack,
  view: RunView,
  { drifted, accepted }: Found,
  { autoApprove }: DriftArguments,
  terminal: Terminal,
  changed: ChangedStack[],
): Promise<Outcome> {
  const planned = await stack.plan();
  const whole = { ...planned, diagnostics: withoutUnseen(planned.diagnostics, accepted) };
  await view.settle();
  const { plan, left } = repairOf(whole, drifted);
  for (const one of left) view.notRepaired(one);
  if (!plan.applicable || stack.stop?.aborted) {
    view.diagnostics(whole.diagnostics);
    return "failed";
  }
  if (!plan.hasChanges) {
    view.diagnostics(whole.diagnostics);
    return hasErrors(whole.diagnostics) ? "failed" : "found";
  }
  view.plan(plan);
  if (!(await isApproved(stack, view, { mode: "normal", autoApprove }, terminal, changed))) return "failed";
  const result = await stack.apply(plan);
  changed.push({ name: stack.name, done: result.done });
  await view.settle();
  view.applied("normal", result);
  if (hasErrors([...whole.diagnostics, ...result.diagnostics])) return "failed";
  return left.length > 0 ? "found" : "nothing";
}
