import { type Diagnostic, DiagnosticError, fail, hasErrors, warning } from "../../diagnostics";
import {
  type ExecutablePlan,
  fromCommandLine,
  type OpenStack,
  type PlanFile,
  type SavedPlan,
  type StackOutcome,
  withDiagnostics,
  withoutRequests,
} from "../../engine";
import { statedLines } from "../../text";
import type { ApprovedReceivers } from "../approval/file";
import type { ApprovedRequest } from "../approval/plans";
import type { ApplyArguments } from "../arguments/plan";
import { limitedChanges } from "../document/describe";
import { exitCodeOf } from "../document/totals";
import { containersOf } from "../objects/object-facts";
import { openPolicies } from "../policy/open-policies";
import type { Policies } from "../policy/policies";
import { reportObservers } from "../reports/collector";
import { type ChangedStack, isApproved, requireApproval } from "../stack-runs/ask-approval";
import { eachStack } from "../stack-runs/each-stack";
import { Limits } from "../stack-runs/limits";
import { describeRecordedSource, readPlanFile, withPlanSource } from "../stack-runs/plan-file";
import { SelectedPaths } from "../stack-runs/selected-paths";
import type { Terminal } from "../terminal/terminal";
import { plannedEvent, type RunView } from "../views/run-view";
import { applyWaves } from "./waves";

export { applyWaves } from "./waves";

/**
 * Plans, asks for approval, and applies the plan. With a saved or an approved plan, applies this plan. `steward destroy` calls
 * this function with the mode `destroy`.
 */
export async function apply(args: ApplyArguments, terminal: Terminal): Promise<number> {
  if (args.approved !== undefined) {
    const { file, digest, approvals } = args.approved;
    // The module is loaded on use: only `--approved` needs it.
    const { readApproval }: typeof import("../approval/file") = require("../approval/file");
    const approval = await readApproval(file, digest, terminal);
    return (await applyApproved([{ approval }], approvals, args, terminal)).code;
  }
  if (args.plan !== undefined) return applySaved(args.plan, args, terminal);
  requireApproval(args.mode === "destroy" ? "destroy" : "apply", args, terminal);
  return applyNew(args, terminal);
}

/** The results of the policies, if another job ran the policies. */
interface GivenPolicies {
  readonly judgedPolicies?: Policies | undefined;
}

/** Returns the options for the stacks of an apply or destroy: policies, locks and reports. */
function applyRun(args: ApplyArguments & GivenPolicies, terminal: Terminal) {
  const command = args.mode === "destroy" ? "destroy" : "apply";
  return {
    observers: reportObservers(command, args, terminal),
    policies: args.judgedPolicies ?? openPolicies(args, terminal),
    locksFor: command,
    reversed: command === "destroy",
    compares: true,
    waits: true,
  };
}

async function applyNew(args: ApplyArguments, terminal: Terminal): Promise<number> {
  const limits = new Limits(args);
  const run = applyRun(args, terminal);
  const changed: ChangedStack[] = [];
  const paths = new SelectedPaths(args);
  const after = (view: RunView) => paths.finish(view);
  const outcome = await eachStack(args, terminal, { ...run, after }, async (stack, view) => {
    await stack.recover();
    const plan = await stack.plan({ ...args, requests: limits.hasRequestLimits, willApply: true });
    if (hasErrors(plan.diagnostics)) paths.fail();
    else if (paths.isOpen) paths.see(containersOf(plan.changes));
    const emergency =
      args.withoutApproval === undefined ? [] : [appliedWithoutApproval(args.withoutApproval)];
    const approvals = emergency.length === 0 ? 0 : Number.POSITIVE_INFINITY;
    const violations = run.policies.needsPlans ? run.policies.violations(plan, stack.name, approvals) : [];
    // The view gets the plan without its requests, because only the limits need the requests.
    const diagnostics = [...emergency, ...plan.diagnostics, ...violations];
    const totals = view.plan(withDiagnostics(withoutRequests(plan), diagnostics));
    if (!stack.canApply(plan)) return "failed";
    const refusals = limits.refusals(limitedChanges(plan));
    if (hasErrors(violations)) {
      view.diagnostics(refusals);
      view.notice("Nothing of this plan was sent, because it violates a policy.");
      return "failed";
    }
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    if (plan.hasChanges && !(await isApproved(stack, totals, view, args, terminal, changed))) return "failed";
    const result =
      args.wave === undefined ? await stack.apply(plan) : await applyWaves(stack, view, plan, args);
    changed.push({ name: stack.name, done: result.done });
    view.applied(args.mode, result);
    return hasErrors([...plan.diagnostics, ...result.diagnostics]) ? "failed" : "found";
  });
  return exitCodeOf(outcome, false);
}

/** Returns the warning that an apply with `--without-approval` shows in the terminal and in all reports. */
const appliedWithoutApproval = (reason: string): Diagnostic =>
  warning({
    code: "applied_without_approval",
    summary: "Applied without approval",
    detail: statedLines(
      `This plan has no approval. Policies that require approvals count as approved. Reason: ${reason.replace(/\.?$/, ".")} Review the changes in the report.`,
    ),
    cause: "without-approval",
  });

/** The result of an apply of approved changes. */
interface ApprovedOutcome {
  readonly code: number;
  readonly overtaken: ReadonlySet<string>;
  /** The names of the stacks in which all approved changes are now applied. */
  readonly done: ReadonlySet<string | null>;
}

/**
 * Plans again, and applies the new plan if people approved each of its changes.
 *
 * @param approvals how many people approved the changes; undefined if the caller has already judged the approvals of each merge
 * request
 * @param beforeFirstWrite called once: after the comparison of all plans with the approved changes, and before the first write
 */
export async function applyApproved(
  requests: readonly ApprovedRequest[],
  approvals: number | undefined,
  args: ApplyArguments & GivenPolicies,
  terminal: Terminal,
  beforeFirstWrite?: () => Promise<void>,
): Promise<ApprovedOutcome> {
  // The module is loaded on use: only an apply of approved changes needs the comparison.
  const { ApprovedPlans }: typeof import("../approval/plans") = require("../approval/plans");
  const {
    areApproved,
    requireReceivers,
  }: typeof import("../approval/receivers") = require("../approval/receivers");
  const run = applyRun(args, terminal);
  const limits = new Limits(args);
  let isFirst = true;
  const done = new Set<string | null>();
  const approved = new ApprovedPlans(requests, approvals, run.policies, (stack, leaveOut) =>
    stack.plan({ ...args, requests: limits.hasRequestLimits, leaveOut, willApply: true }),
  );
  const options = {
    ...run,
    prepare: async (stacks: readonly OpenStack[], view: RunView) => {
      const receivers = receiversOf(requests);
      if (receivers !== undefined) await requireReceivers(stacks, (found) => areApproved(found, receivers));
      await approved.check(stacks, view);
    },
  };
  const outcome = await eachStack(args, terminal, options, async (stack, view) => {
    await stack.recover();
    const { plan, refusals, warnings, notes, leftOut } = await approved.confirm(stack);
    view.plan(withDiagnostics(withoutRequests(plan), [...plan.diagnostics, ...warnings]));
    for (const note of notes) view.notice(note);
    for (const address of leftOut)
      view.notice(`${address} was changed by hand. The revert is not approved, so the live value is kept.`);
    const all = [...refusals, ...limits.refusals(limitedChanges(plan))];
    if (all.length > 0) throw new DiagnosticError(all);
    if (!stack.canApply(plan)) return "failed";
    if (isFirst && plan.hasChanges) {
      isFirst = false;
      await beforeFirstWrite?.();
    }
    const result = await stack.apply(plan);
    view.applied(args.mode, result);
    if (hasErrors([...plan.diagnostics, ...result.diagnostics])) return "failed";
    done.add(stack.name ?? null);
    return "found";
  });
  return { code: exitCodeOf(outcome, false), overtaken: approved.overtaken, done };
}

/**
 * Returns the services and states that may get a token, because an approval of a request names them. Returns undefined if an
 * earlier release wrote one of the approvals, because such an approval names no services or states.
 */
function receiversOf(requests: readonly ApprovedRequest[]): ApprovedReceivers | undefined {
  const all = requests.map(({ approval }) => approval.receivers);
  if (all.includes(undefined)) return undefined;
  return {
    services: all.flatMap((one) => one?.services ?? []),
    states: all.flatMap((one) => one?.states ?? []),
  };
}

/**
 * Applies a saved plan if the state, the configuration and the live objects did not change since the plan. Does not ask for
 * approval: people saw the plan when it was saved.
 */
async function applySaved(file: string, args: ApplyArguments, terminal: Terminal): Promise<number> {
  // The module is loaded on use: only an apply of a saved plan reads a plan file.
  const {
    concealedAddresses,
  }: typeof import("../approval/addresses-in-plans") = require("../approval/addresses-in-plans");
  const plans = await readPlanFile(file, terminal, concealedAddresses(file, terminal));
  const isDestroy = plans.stacks.some(({ plan }) => plan.record.mode === "destroy");
  const source = withPlanSource(args, plans, file, terminal);
  const planned = { ...args, config: source.config, mode: isDestroy ? "destroy" : "normal" } as const;
  const run = applyRun(planned, terminal);
  const saved = new SavedPlans(file, plans, args, terminal, run.policies);
  const options = {
    ...run,
    prepare: (stacks: readonly OpenStack[], view: RunView) => {
      const notice = describeRecordedSource(args, source);
      if (notice !== undefined) view.notice(notice);
      return saved.check(stacks);
    },
  };
  const outcome = await eachStack(source, terminal, options, (stack, view) =>
    saved.apply(stack, view, (plan) => {
      for (const observer of run.observers) observer.on(plannedEvent(withoutRequests(plan)));
    }),
  );
  return exitCodeOf(outcome, false);
}

class SavedPlans {
  readonly #limits: Limits;
  /**
   * The new plans, which are equal to the saved plans, and the violations of advisory rules in the new plans. The keys are the
   * names of stacks.
   */
  readonly #confirmed = new Map<
    string | undefined,
    { readonly plan: ExecutablePlan; readonly warnings: readonly Diagnostic[] }
  >();

  constructor(
    private readonly file: string,
    private readonly plans: PlanFile,
    private readonly args: ApplyArguments,
    private readonly terminal: Terminal,
    private readonly policies: Policies,
  ) {
    this.#limits = new Limits(args);
  }

  /**
   * Plans all stacks again, before the first plan is applied. Refuses the apply if a new plan differs from the saved plan.
   * Also checks the policies.
   */
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
    const violations = this.policies.needsPlans ? this.policies.violations(plan, stack.name) : [];
    const warnings = violations.filter(({ severity }) => severity === "warning");
    this.#confirmed.set(stack.name, { plan, warnings });
    return [...diagnostics, ...violations];
  }

  /** @param announce sends the plan to the reports only. The terminal showed the plan when it was saved */
  async apply(
    stack: OpenStack,
    view: RunView,
    announce: (plan: ExecutablePlan) => void,
  ): Promise<StackOutcome> {
    const saved = this.#planOf(stack);
    stack.restore(saved);
    await stack.recover();
    const { pendingRecovery } = stack;
    view.diagnostics(pendingRecovery);
    // Steward locked the state only after `check`, so another run can have changed the state in the meantime.
    stack.requireCurrentState(saved);
    const { plan, warnings } = this.#confirmed.get(stack.name)!;
    const refusals = this.#limits.refusals(limitedChanges(plan));
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    announce(plan);
    // Shows the errors of the plan again. A plan with errors lacks some changes, and users must not expect these changes.
    view.diagnostics(plan.diagnostics.filter(({ severity }) => severity === "error"));
    view.diagnostics(warnings);
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
    detail: `${file} has no plan for ${name === undefined ? "this configuration" : `the stack "${name}"`}. Nothing was sent. Plan again.`,
  });
