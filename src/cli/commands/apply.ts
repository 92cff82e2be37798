import { fail, hasErrors } from "../../diagnostics";
import { applyPlan, createPlan, openState } from "../../engine";
import type { ApplyArguments } from "../arguments/apply";
import { isByProgram } from "../arguments/stack-options";
import { reportObservers } from "../reports/observers";
import { eachStack, type OpenStack, type Outcome } from "../stack/each-stack";
import type { Terminal } from "../terminal";
import { approvalQuestion, isApproval } from "../views/approval";
import { applySaved } from "./apply-saved";

/** Plans, asks, and applies, or applies a saved plan; `destroy` is the same in another mode. */
export async function apply(args: ApplyArguments, terminal: Terminal): Promise<number> {
  if (args.plan === undefined && !args.autoApprove && (args.json || !terminal.interactive))
    approvalNeeded(args);
  if (isByProgram(args)) {
    const { applyByProgram }: typeof import("../engines/apply") = require("../engines/apply");
    return applyByProgram(args, terminal);
  }
  if (args.plan !== undefined) return applySaved(args.plan, args, terminal);
  const isDestroy = args.mode === "destroy";
  const observers = reportObservers(isDestroy ? "destroy" : "apply", args, terminal);
  const manner = { locksFor: isDestroy ? "destroy" : "apply", reversed: isDestroy, waits: true, observers };
  const outcome = await eachStack(args, terminal, manner, (stack) => applyStack(stack, args, terminal));
  return outcome === "failed" ? 1 : 0;
}

async function applyStack(stack: OpenStack, args: ApplyArguments, terminal: Terminal): Promise<Outcome> {
  const { context, backend, view } = stack;
  const { state, diagnostics } = await openState(context, backend);
  view.diagnostics(diagnostics);
  const plan = await createPlan({ ...context, replace: args.replace }, state, args.mode);
  await view.settle();
  view.plan(plan);
  const hasFailed = hasErrors(plan.diagnostics);
  if (!plan.applicable || context.stop?.aborted || (hasFailed && !plan.hasChanges)) return "failed";
  if (plan.hasChanges && !args.autoApprove) {
    const answer = await terminal.ask(approvalQuestion(args.mode, stack.name));
    if (!isApproval(answer)) {
      view.notice("Not approved: nothing was changed.");
      return "failed";
    }
  }
  const result = await applyPlan(context, plan, backend);
  await view.settle();
  view.applied(args.mode, result);
  return hasFailed || hasErrors(result.diagnostics) ? "failed" : "found";
}

function approvalNeeded({ mode, json }: ApplyArguments): never {
  const command = mode === "destroy" ? "destroy" : "apply";
  return fail({
    code: "approval_needed",
    summary: "Approval needed",
    detail:
      `\`steward ${command}\` asks before it changes anything, and ${json ? "--json leaves nobody to ask" : "there is no terminal to ask on"}. ` +
      "Nothing was changed. Look at the plan with `steward plan`, then give --auto-approve.",
  });
}
