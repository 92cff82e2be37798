import { type Diagnostic, DiagnosticError, fail, hasErrors } from "../../diagnostics";
import {
  type ExecutablePlan,
  fromCommandLine,
  type OpenStack,
  type PlanFile,
  type SavedPlan,
  type StackOutcome,
} from "../../engine";
import type { ApplyArguments } from "../arguments/apply";
import type { Policies } from "../policy/policies";
import { applyRun } from "../run/apply-run";
import { eachStack } from "../run/each-stack";
import { type ChangedStack, isApproved, Limits, requireApproval, withoutRequests } from "../run/limits";
import { applyWaves } from "../run/waves";
import { describeRecordedSource, readPlanFile, withPlanSource } from "../stacks/plan-file";
import type { Terminal } from "../terminal/terminal";
import { plannedEvent, type RunView } from "../views/run-view";

/** Applies a saved plan if nothing that it is based on has changed. It was approved when it was shown. */
async function applySaved(file: string, args: ApplyArguments, terminal: Terminal): Promise<number> {
  const plans = await readPlanFile(file, terminal);
  const isDestroy = plans.stacks.some(({ plan }) => plan.record.mode === "destroy");
  const source = withPlanSource(args, plans, file, terminal);
  const run = applyRun(args, terminal, isDestroy, source.config);
  const saved = new SavedPlans(file, plans, args, terminal, run);
  const options = {
    ...run,
    prepare: (stacks: readonly OpenStack[], view: RunView) => {
      const notice = describeRecordedSource(args, source);
      if (notice !== undefined) view.notice(notice);
      return saved.check(stacks);
    },
  };
  const outcome = await eachStack(source, terminal, options, (stack, view) => saved.apply(stack, view));
  return outcome === "failed" ? 1 : 0;
}

class SavedPlans {
  readonly #limits: Limits;
  /** The recomputed plans, by stack name. */
  readonly #confirmed = new Map<string | undefined, ExecutablePlan>();
  /** The violations of advisory rules, by stack name. */
  readonly #warnings = new Map<string | undefined, readonly Diagnostic[]>();

  constructor(
    private readonly file: string,
    private readonly plans: PlanFile,
    private readonly args: ApplyArguments,
    private readonly terminal: Terminal,
    private readonly run: ReturnType<typeof applyRun>,
  ) {
    this.#limits = new Limits(args);
  }

  /** Compares all plans with their bases, and checks their policies, before the first one is applied. */
  async check(stacks: readonly OpenStack[]): Promise<void> {
    const found: Diagnostic[] = [];
    for (const stack of stacks) found.push(...(await this.#checkOne(stack)));
    if (hasErrors(found)) throw new DiagnosticError(found);
  }

  async #checkOne(stack: OpenStack): Promise<readonly Diagnostic[]> {
    const given = fromCommandLine(this.args.variables ?? [], this.terminal.folder);
    const options = { requests: this.#limits.hasRequestLimits };
    const { plan, diagnostics } = await stack.confirm(this.#planOf(stack), given, this.file, options);
    if (plan === undefined) return diagnostics;
    this.#confirmed.set(stack.name, plan);
    const violations = this.run.policies.violations(plan, stack.name);
    this.#warnings.set(
      stack.name,
      violations.filter(({ severity }) => severity === "warning"),
    );
    return [...diagnostics, ...violations];
  }

  async apply(stack: OpenStack, view: RunView): Promise<StackOutcome> {
    const saved = this.#planOf(stack);
    stack.restore(saved);
    await stack.recover();
    const { pendingRecovery } = stack;
    view.diagnostics(pendingRecovery);
    // Check again: only now is the state locked.
    stack.requireCurrentState(saved);
    const plan = this.#confirmed.get(stack.name)!;
    const refusals = this.#limits.refusals(plan);
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    for (const observer of this.run.observers) observer.on(plannedEvent(withoutRequests(plan)));
    // Errors in the plan leave parts of it out; report them again.
    view.diagnostics(plan.diagnostics.filter(({ severity }) => severity === "error"));
    view.diagnostics(this.#warnings.get(stack.name) ?? []);
    const result = await stack.apply(plan);
    view.applied(plan.mode, result);
    const hasFailed = hasErrors([...pendingRecovery, ...plan.diagnostics, ...result.diagnostics]);
    return hasFailed || plan.blocked.length > 0 ? "failed" : "found";
  }

  #planOf({ name }: OpenStack): SavedPlan {
    const { stacks } = this.plans;
    const isOnly = name === undefined && stacks.length === 1;
    const found = isOnly ? stacks[0] : stacks.find((one) => one.name === name);
    return found?.plan ?? noSuchStack(this.file, name);
  }
}

const noSuchStack = (file: string, name: string | undefined): never =>
  fail({
    code: "saved_plan_configuration_moved_on",
    summary: "Configuration has changed since the plan",
    detail:
      `${file} holds no plan of ${name === undefined ? "this configuration" : `the stack "${name}"`}. ` +
      "Nothing was sent. Plan again.",
  });

/** Plans, asks for approval, and applies, or applies a saved plan. `destroy` is another mode of it. */
export async function apply(args: ApplyArguments, terminal: Terminal): Promise<number> {
  if (args.approved !== undefined) {
    const { applyApproved }: typeof import("./apply-approved") = require("./apply-approved");
    return applyApproved(args.approved, args, terminal);
  }
  if (args.plan === undefined) requireApproval(args.mode === "destroy" ? "destroy" : "apply", args, terminal);
  if (args.plan !== undefined) return applySaved(args.plan, args, terminal);
  const guards = { limits: new Limits(args), changed: [] };
  const run = applyRun(args, terminal);
  const outcome = await eachStack(args, terminal, run, (stack, view) =>
    applyStack(stack, view, args, terminal, { ...guards, policies: run.policies }),
  );
  return outcome === "failed" ? 1 : 0;
}

/** What may refuse a plan, and what the stacks before have changed. */
interface Guards {
  readonly limits: Limits;
  readonly policies: Policies;
  readonly changed: ChangedStack[];
}

async function applyStack(
  stack: OpenStack,
  view: RunView,
  args: ApplyArguments,
  terminal: Terminal,
  { limits, policies, changed }: Guards,
): Promise<StackOutcome> {
  await stack.recover();
  const plan = await stack.plan({ ...args, requests: limits.hasRequestLimits });
  const violations = policies.violations(plan, stack.name);
  view.plan({ ...withoutRequests(plan), diagnostics: [...plan.diagnostics, ...violations] });
  const hasFailed = hasErrors(plan.diagnostics);
  if (!stack.canApply(plan)) return "failed";
  const refusals = limits.refusals(plan);
  if (hasErrors(violations)) {
    view.diagnostics(refusals);
    view.notice("Nothing of this plan was sent, because a policy refuses it.");
    return "failed";
  }
  if (refusals.length > 0) throw new DiagnosticError(refusals);
  if (plan.hasChanges && !(await isApproved(stack, view, args, terminal, changed))) return "failed";
  const result =
    args.wave === undefined ? await stack.apply(plan) : await applyWaves(stack, view, plan, args);
  changed.push({ name: stack.name, done: result.done });
  view.applied(args.mode, result);
  return hasFailed || hasErrors(result.diagnostics) ? "failed" : "found";
}
