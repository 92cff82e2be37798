import { error, hasErrors } from "../../diagnostics";
import {
  type ExecutablePlan,
  type OpenStack,
  type PlanFile,
  type StackOutcome,
  withDiagnostics,
} from "../../engine";
import type { ApprovalRecorder } from "../approval/recorder";
import type { PlanArguments } from "../arguments/plan";
import { openPolicies, type Policies } from "../policy/policies";
import { reportObservers } from "../reports/collector";
import { eachStack } from "../run/each-stack";
import { Limits } from "../run/limits";
import { WrittenImports, WrittenMoves } from "../run/written-imports";
import { planSource, repeatedOptions, writePlanFile } from "../stacks/plan-file";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";

/** Shows what apply would change, and saves the plan on request. */
export function plan(args: PlanArguments, terminal: Terminal): Promise<number> {
  const policies = openPolicies(args, terminal);
  return planWith(args, terminal, policies, approvalRecorder(args, policies, terminal));
}

/** The same for a caller that goes on with what is to approve. */
export async function planWith(
  args: PlanArguments,
  terminal: Terminal,
  policies: Policies,
  approval: ApprovalRecorder | undefined,
): Promise<number> {
  const observers = reportObservers("plan", args, terminal);
  const options = {
    policies,
    locksFor: args.lock ? "plan" : undefined,
    compares: true,
    reversed: args.mode === "destroy",
    isMerged: true,
    observers,
  };
  const recorder = args.out === undefined ? undefined : new PlanRecorder(args, args.out, terminal);
  const { writeImports, writeMoves } = args;
  const imports = writeImports === undefined ? undefined : new WrittenImports(writeImports, terminal);
  const moves = writeMoves === undefined ? undefined : new WrittenMoves(writeMoves, terminal);
  const files = [recorder, approval, imports, moves];
  const limits = new Limits({ maxImports: args.maxImports });
  const hooks = {
    prepare: async (stacks: readonly OpenStack[]) => {
      for (const file of files) file?.expect(stacks);
    },
    complete: async (view: RunView) => {
      for (const file of files) await file?.write(view);
    },
  };
  const outcome = await eachStack(args, terminal, { ...options, ...hooks }, async (stack, view) => {
    // Without the lock the state is read-only, so the recovery stays pending.
    await (args.lock ? stack.recover() : stack.read());
    const planned = await stack.plan(args);
    // A plan is what people approve: it says how many of them a rule asks for.
    const violations = policies.violations(planned, stack.name, Number.POSITIVE_INFINITY);
    const refusals = limits.refusals(planned);
    const diagnostics = [
      ...planned.diagnostics,
      ...violations,
      ...(imports?.keep(planned) ?? []),
      ...refusals,
    ];
    moves?.keep(planned);
    view.plan(withDiagnostics(planned, diagnostics));
    // What can't be applied is not saved: an apply elsewhere might not know these rules.
    if (!hasErrors([...violations, ...refusals]) && policies.approvalsFor(violations) === 1)
      await recorder?.keep(stack, planned);
    if (refusals.length === 0) await approval?.keep(stack, planned);
    else imports?.refuse();
    if (hasErrors(diagnostics)) return "failed";
    return planned.hasChanges ? "found" : "nothing";
  });
  return exitCode(recorder?.hasFailed || approval?.hasFailed ? "failed" : outcome, args);
}

function approvalRecorder({ outApproval }: PlanArguments, policies: Policies, terminal: Terminal) {
  if (outApproval === undefined) return undefined;
  const recorder: typeof import("../approval/recorder") = require("../approval/recorder");
  return new recorder.ApprovalRecorder(outApproval, policies, terminal);
}

function exitCode(outcome: StackOutcome, { detailedExitCode }: PlanArguments): number {
  if (outcome === "failed") return 1;
  return outcome === "found" && detailedExitCode ? 2 : 0;
}

/** Collects the plans of all stacks and writes them when they are complete. */
class PlanRecorder {
  readonly #plans: PlanFile["stacks"][number][] = [];
  #names: readonly (string | undefined)[] = [];
  hasFailed = false;

  constructor(
    private readonly args: PlanArguments,
    private readonly file: string,
    private readonly terminal: Terminal,
  ) {}

  expect(stacks: readonly OpenStack[]): void {
    this.#names = stacks.map(({ name }) => name);
  }

  async keep(stack: OpenStack, planned: ExecutablePlan): Promise<void> {
    const { name } = stack;
    this.#plans.push({ ...(name !== undefined && { name }), plan: await stack.save(planned) });
  }

  async write(view: RunView): Promise<void> {
    // A shard may have no stack, and a plan of none would be one of the whole app.
    if (this.#names.length === 0) return;
    const missing = this.#names.filter((name) => !this.#plans.some((plan) => plan.name === name));
    if (missing.length > 0) {
      this.hasFailed = true;
      view.diagnostics([incomplete(this.file, missing)]);
      return;
    }
    const source = planSource(this.args, this.terminal);
    await writePlanFile(this.file, { source, stacks: this.#plans }, this.terminal);
    view.saved(this.file, repeatedOptions(this.args, source));
  }
}

const incomplete = (file: string, missing: readonly (string | undefined)[]) =>
  error({
    code: "saved_plan_not_written",
    summary: "Plan was not saved",
    detail:
      `There is no plan of ${missing.map((name) => (name === undefined ? "the configuration" : `the stack "${name}"`)).join(" and ")}, ` +
      `and a file holds the plans of all stacks or none: ${file} was not written. Fix what failed, or choose stacks with --stack.`,
  });
