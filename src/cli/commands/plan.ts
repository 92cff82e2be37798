import type { ImportBlock } from "../../adopt";
import { type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import {
  changingOf,
  type ExecutablePlan,
  groupBy,
  type OpenStack,
  type Plan,
  type PlanFile,
  shownImportId,
  withDiagnostics,
  withoutKey,
} from "../../engine";
import { counted, shellWord } from "../../text";
import type { ApprovalRecorder } from "../approval/recorder";
import { invalid } from "../arguments/option";
import type { PlanArguments } from "../arguments/plan";
import { limitedChanges } from "../document/describe";
import { exitCodeOf } from "../document/totals";
import { containersOf } from "../objects/object-facts";
import { readBlocks } from "../outputs/kinds";
import { type OutputPlace, writeOutput } from "../outputs/write-output";
import { openPolicies } from "../policy/open-policies";
import type { Policies } from "../policy/policies";
import { reportObservers } from "../reports/collector";
import { eachStack } from "../stack-runs/each-stack";
import { Limits } from "../stack-runs/limits";
import { planSource, repeatedOptions, writePlanFile } from "../stack-runs/plan-file";
import { SelectedPaths } from "../stack-runs/selected-paths";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";

/** Shows what apply would change, and saves the plan on request. */
export function plan(args: PlanArguments, terminal: Terminal): Promise<number> {
  const policies = openPolicies(args, terminal);
  return planWith(args, terminal, policies, approvalRecorder(args, policies, terminal));
}

/** A check of all stacks before the first request to the service. The check throws to end the run. */
export type Gate = (stacks: readonly OpenStack[]) => Promise<void>;

/** Runs the command `plan`. A caller that needs the changes to approve passes an `ApprovalRecorder`, and reads them from it. */
export async function planWith(
  args: PlanArguments,
  terminal: Terminal,
  policies: Policies,
  approval: ApprovalRecorder | undefined,
  gate?: Gate,
): Promise<number> {
  const observers = reportObservers("plan", args, terminal);
  const options = {
    policies,
    locksFor: args.lock ? "plan" : undefined,
    compares: true,
    reversed: args.mode === "destroy",
    isMerged: true,
    // If the command writes a file, a name of `--stack` that matches no stack ends the run. The file has to contain all
    // selected stacks. Without a file, the run reports the name and continues.
    reportsUnknownStacks: [args.out, args.outApproval, args.writeImports, args.writeMoves].every(
      (file) => file === undefined,
    ),
    observers,
  };
  const recorder = args.out === undefined ? undefined : new PlanRecorder(args, args.out, terminal);
  const { writeImports, writeMoves } = args;
  const imports = writeImports === undefined ? undefined : new WrittenImports(writeImports, terminal);
  const moves = writeMoves === undefined ? undefined : new WrittenMoves(writeMoves, terminal);
  const files = [recorder, approval, imports, moves];
  const limits = new Limits({ maxImports: args.maxImports });
  const paths = new SelectedPaths(args);
  const hooks = {
    prepare: async (stacks: readonly OpenStack[]) => {
      for (const file of files) file?.expect(stacks);
      await gate?.(stacks);
    },
    after: (view: RunView) => paths.finish(view),
    complete: async (view: RunView) => {
      for (const file of files) await file?.write(view);
    },
  };
  const outcome = await eachStack(args, terminal, { ...options, ...hooks }, async (stack, view) => {
    // A recovery changes the state, so the recovery needs the lock. With `--lock=false`, the pending changes stay pending.
    await (args.lock ? stack.recover() : stack.read());
    const planned = await stack.plan(args);
    if (hasErrors(planned.diagnostics)) paths.fail();
    else if (paths.isOpen) paths.see(containersOf(planned.changes));
    // People approve this plan later. With an infinite number of approvals, a rule that needs approvals causes only a warning.
    // The plan shows how many approvals each rule needs.
    const violations = policies.needsPlans
      ? policies.violations(planned, stack.name, Number.POSITIVE_INFINITY)
      : [];
    const refusals = limits.refusals(limitedChanges(planned));
    const diagnostics = [
      ...planned.diagnostics,
      ...violations,
      ...(imports?.keep(planned) ?? []),
      ...refusals,
    ];
    moves?.keep(planned);
    view.plan(withDiagnostics(planned, diagnostics));
    // Steward does not save a plan that violates rules or limits, because another machine that applies the file may not have
    // these rules.
    if (!hasErrors([...violations, ...refusals]) && !policies.needApprovals(violations))
      await recorder?.keep(stack, planned);
    if (refusals.length === 0) await approval?.keep(stack, planned);
    else imports?.refuse();
    if (hasErrors(diagnostics)) return "failed";
    return planned.hasChanges ? "found" : "nothing";
  });
  const isFailed = recorder?.hasFailed || approval?.hasFailed;
  return exitCodeOf(isFailed ? "failed" : outcome, args.detailedExitCode === true);
}

function approvalRecorder({ outApproval }: PlanArguments, policies: Policies, terminal: Terminal) {
  if (outApproval === undefined) return undefined;
  const recorder: typeof import("../approval/recorder") = require("../approval/recorder");
  return new recorder.ApprovalRecorder(outApproval, policies, terminal);
}

/** Collects the plans of all stacks, and writes them to one file if all of them are complete. */
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
    // A shard may have no stacks. Then Steward writes no file, because it would later read a file without plans as a plan of
    // the whole app.
    if (this.#names.length === 0) return;
    const missing = this.#names.filter((name) => !this.#plans.some((plan) => plan.name === name));
    if (missing.length > 0) {
      this.hasFailed = true;
      view.diagnostics([incomplete(this.file, missing)]);
      return;
    }
    const source = planSource(this.args, this.terminal);
    const plans = { source, stacks: this.#plans };
    // The module is loaded on use: only a saved plan needs the module.
    const {
      concealedAddresses,
    }: typeof import("../approval/addresses-in-plans") = require("../approval/addresses-in-plans");
    await writePlanFile(this.file, plans, this.terminal, concealedAddresses(this.file, this.terminal));
    view.saved(this.file, repeatedOptions(this.args, source));
  }
}

const incomplete = (file: string, missing: readonly (string | undefined)[]) =>
  error({
    code: "saved_plan_not_written",
    summary: "Plan was not saved",
    detail: `${missing.map((name) => (name === undefined ? "The configuration" : `The stack "${name}"`)).join(" and ")} could not be planned, but a saved plan must contain all stacks. The file ${file} was not written. Fix the errors, or choose stacks with --stack.`,
  });

/** A file with Terraform blocks, such as `import` or `moved`, which Steward makes from the plan of one stack. */
abstract class WrittenBlocks {
  protected abstract readonly option: string;
  protected abstract readonly kind: "imports" | "moves";

  constructor(
    protected readonly file: string,
    private readonly terminal: OutputPlace,
  ) {}

  /**
   * Throws if the run has several stacks. A block does not contain the name of its stack, so one file can't have blocks of
   * several stacks.
   */
  expect(stacks: readonly Pick<OpenStack, "name">[]): void {
    if (stacks.length < 2) return;
    invalid(
      "Several stacks",
      `${this.option} ${this.file} can contain the blocks of one stack, but the app has ${stacks.length}: ` +
        `${stacks.map(({ name }) => name).join(", ")}. Nothing was planned. Choose one with --stack NAME.`,
    );
  }

  /** Whether the file has the JSON syntax, according to its extension. */
  protected get isJson(): boolean {
    return this.file.endsWith(".json");
  }

  /** @param blocks the number and kind of the blocks, such as `2 import blocks` */
  protected async writeBlocks(text: string, blocks: string, view: RunView): Promise<void> {
    await writeOutput(
      { kind: this.kind, file: this.file, text, reader: readBlocks(this.kind) },
      this.terminal,
    );
    view.notice(`Wrote ${blocks} to ${this.file}.`);
  }
}

/** Collects the objects that a plan would import, and writes import blocks for Terraform. */
class WrittenImports extends WrittenBlocks {
  protected readonly option = "--write-imports";
  protected readonly kind = "imports";
  readonly #imports: ImportBlock[] = [];
  #isRefused = false;

  /** Collects the imports of a plan. Returns warnings about imports for which no block will be written. */
  keep(plan: Pick<Plan, "changes" | "changing">): Diagnostic[] {
    return changingOf(plan).flatMap((change) => {
      const { address, construct, importing } = change;
      if (importing?.existing !== true) return [];
      if (shownImportId(change) === importing.id) {
        this.#imports.push({ address, id: importing.id });
        return [];
      }
      return warning({
        code: "import_id_sensitive",
        summary: "Import block left out",
        detail: `The import ID of this object contains a sensitive value, so ${this.file} does not contain its block. Write the block by hand, with the variable instead of the value.`,
        address,
        ...(construct !== undefined && { construct }),
      });
    });
  }

  /** Called if a limit refused the imports of the plan: `write` then writes no blocks. */
  refuse(): void {
    this.#isRefused = true;
  }

  /** Writes the file of import blocks if the plan imports objects. */
  async write(view: RunView): Promise<void> {
    if (this.#isRefused) return;
    const { length } = this.#imports;
    if (length === 0) return view.notice(`Nothing to import: ${this.file} was not written.`);
    // The module is loaded on use: other plans need no writers of configurations.
    const { printImportBlocks }: typeof import("../../adopt") = require("../../adopt");
    const text = printImportBlocks(this.#imports, this.isJson ? "json" : "hcl");
    await this.writeBlocks(text, counted(length, "import block"), view);
  }
}

/**
 * Collects the moves of a plan, and writes `moved` blocks for Terraform. Steward finds moves by the identity of objects;
 * Terraform needs blocks.
 */
class WrittenMoves extends WrittenBlocks {
  protected readonly option = "--write-moves";
  protected readonly kind = "moves";
  readonly #moves: Move[] = [];
  readonly #forgotten: string[] = [];

  keep(plan: Pick<Plan, "changes" | "changing">): void {
    for (const { action, address, previousAddress } of changingOf(plan)) {
      if (previousAddress !== undefined) this.#moves.push({ from: previousAddress, to: address });
      if (action === "forget") this.#forgotten.push(address);
    }
  }

  /** Writes the file of `moved` blocks if the plan moves objects. */
  async write(view: RunView): Promise<void> {
    if (this.#forgotten.length > 0) {
      view.notice(
        "Terraform would destroy the instances that this plan forgets, or refuse to plan. Before you apply, remove them from its state:",
      );
      view.notice(`terraform state rm ${this.#forgotten.map(shellWord).join(" ")}`);
    }
    const moves = [...this.#moves, ...movesOfForgotten(this.#forgotten, this.#moves)];
    if (moves.length === 0) return view.notice(`Nothing moves: ${this.file} was not written.`);
    const text = this.isJson
      ? `${JSON.stringify({ moved: moves }, undefined, 2)}\n`
      : `${moves.map(({ from, to }) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`).join("\n")}`;
    await this.writeBlocks(text, counted(moves.length, "moved block"), view);
  }
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns a move for each forgotten instance whose resource was renamed: all other instances of the old resource move to one
 * new resource. For example, a fleet was renamed, and one of its projects left the fleet at the same time. Terraform respects
 * `prevent_destroy` only in declared resources. Without the move, the old resource has no declaration, and Terraform destroys
 * the instance.
 */
function movesOfForgotten(forgotten: readonly string[], moves: readonly Move[]): Move[] {
  const ofResources = moves
    .map(({ from, to }) => ({ before: withoutKey(from), after: withoutKey(to), from, to }))
    .filter(({ before, after, from, to }) => from.slice(before.length) === to.slice(after.length));
  const heirs = groupBy(ofResources, ({ before }) => before);
  return forgotten.flatMap((from) => {
    const before = withoutKey(from);
    const [heir, ...others] = new Set(heirs.get(before)?.map(({ after }) => after));
    return heir === undefined || others.length > 0 ? [] : { from, to: `${heir}${from.slice(before.length)}` };
  });
}
