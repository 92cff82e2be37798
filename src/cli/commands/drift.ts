import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import {
  type CoverageScan,
  type DriftedObject,
  type OpenStack,
  planRepair,
  type StackOutcome,
  type State,
  unmanagedInAll,
  withoutRequests,
} from "../../engine";
import type { DriftArguments } from "../arguments/drift";
import { limitedChanges } from "../document/describe";
import { exitCodeOf } from "../document/totals";
import {
  FindingFilter,
  fingerprintsIn,
  unmanagedFinding,
  unmanagedName,
  withoutUnseen,
} from "../findings/finding";
import { SettingWaivers } from "../findings/waivers";
import { reportObservers } from "../reports/collector";
import { type ChangedStack, isApproved, requireApproval } from "../stack-runs/ask-approval";
import { eachStack } from "../stack-runs/each-stack";
import { Limits } from "../stack-runs/limits";
import { hasConfiguration, loadProviderOnly, readStandaloneState } from "../stack-runs/providers";
import { SelectedPaths } from "../stack-runs/selected-paths";
import type { Terminal } from "../terminal/terminal";
import type { RunView } from "../views/run-view";
import type { Acceptance } from "./accept";

/**
 * Reports how the live objects differ from the state and the declarations. Only `--repair` writes to the service. A run with
 * `--repair` locks the state.
 */
export async function drift(args: DriftArguments, terminal: Terminal): Promise<number> {
  if (args.repair) requireApproval("drift --repair", args, terminal);
  return new DriftRun(args, terminal).run();
}

class DriftRun {
  readonly #acceptance?: Acceptance;
  readonly #ignore: SettingWaivers | undefined;
  readonly #filter: FindingFilter;
  readonly #limits: Limits;
  /** The warnings about entries of waiver files. Steward shows these warnings with the results of the first stack. */
  readonly #warnings: Diagnostic[];
  readonly #scans: CoverageScan[] = [];
  readonly #paths: SelectedPaths;
  /** The repairs of earlier stacks in this run. The question for the next approval names these repairs. */
  readonly #changed: ChangedStack[] = [];
  /** The number of stacks whose check began but has not ended. The number stays above 0 if a stack failed. */
  #unreported = 0;

  constructor(
    private readonly args: DriftArguments,
    private readonly terminal: Terminal,
  ) {
    const { ignore, since } = args;
    this.#paths = new SelectedPaths(args);
    if (args.accept) {
      // The module is loaded on use: only `--accept` needs the parsers of code.
      const { Acceptance }: typeof import("./accept") = require("./accept");
      this.#acceptance = new Acceptance(args, terminal);
    }
    this.#ignore = ignore.length === 0 ? undefined : new SettingWaivers(ignore, terminal.folder);
    const known = since === undefined ? undefined : fingerprintsIn(since, terminal.folder);
    this.#filter = new FindingFilter(this.#ignore, known);
    this.#warnings = [...(this.#ignore?.warnings ?? [])];
    this.#limits = new Limits(args);
  }

  async run(): Promise<number> {
    const { args, terminal } = this;
    const acceptance = this.#acceptance;
    const observers = reportObservers("drift", args, terminal);
    const state = await readStandaloneState(args, terminal);
    // Without a configuration, Steward can still search the projects and groups that the command line names.
    const isBare = state === undefined && args.within.length > 0 && !hasConfiguration(args, terminal);
    const options = {
      // A run on the state of another engine takes no lock, because Steward never writes the state of another engine.
      locksFor: args.repair && state === undefined ? "drift --repair" : undefined,
      ...(acceptance !== undefined && { load: () => acceptance.load() }),
      ...((state !== undefined || isBare) && { load: () => loadProviderOnly(terminal) }),
      isMerged: !args.repair,
      reportsUnknownStacks: !args.repair,
      observers,
      after: (view: RunView) => this.#after(view),
      waivers: () => this.#ignore?.list() ?? [],
    };
    const outcome = await eachStack(args, terminal, options, async (stack, view) => {
      this.#unreported += 1;
      if (state === undefined && !isBare) await (args.repair ? stack.recover() : stack.read());
      return this.#stack(stack, view, state);
    });
    if (acceptance === undefined || outcome === "failed") return exitOf(outcome);
    return exitOf(await acceptance.finish());
  }

  /** @param state a state of another engine, instead of the stack's state */
  async #stack(stack: OpenStack, view: RunView, state: State | undefined): Promise<StackOutcome> {
    const { coverage, within, access, repair } = this.args;
    const accessOf = access
      ? (all: readonly DriftedObject[]) => this.#filter.drifted(all, stack.name).reported
      : undefined;
    const report = await (state === undefined
      ? stack.drift({ coverage, within, accessOf })
      : stack.driftOfState(state, { accessOf }));
    this.#scans.push(...report.scans);
    if (hasErrors(report.diagnostics)) this.#paths.fail();
    this.#paths.seeCount(report.objects.length + report.unchecked.length);
    const { reported, accepted, suppressed } = this.#filter.ofReport(report, stack.name);
    view.diagnostics(this.#warnings.splice(0));
    view.drift(reported, suppressed, coverage);
    this.#unreported -= 1;
    const { drifted, diagnostics } = reported;
    const found: StackOutcome = drifted.length > 0 ? "found" : "nothing";
    const outcome = hasErrors(diagnostics) ? "failed" : found;
    await this.#acceptance?.take(stack, drifted);
    if (!repair || drifted.length === 0) return outcome;
    const repaired = await this.#repair(stack, view, drifted, accepted, state);
    return outcome === "failed" ? "failed" : repaired;
  }

  /** Shows the changes that restore the applied values, asks for approval, and applies only these changes. */
  async #repair(
    stack: OpenStack,
    view: RunView,
    drifted: readonly DriftedObject[],
    accepted: ReadonlySet<string>,
    state: State | undefined,
  ): Promise<StackOutcome> {
    const { plan, skipped, diagnostics, apply } = await (state === undefined
      ? this.#planRepair(stack, drifted, accepted)
      : stack.planStateRepair(state, drifted));
    for (const left of skipped) view.tell({ kind: "notRepaired", left });
    if (!plan.applicable || stack.stop?.aborted || !plan.hasChanges) {
      view.diagnostics(diagnostics);
      const isWhole = plan.applicable && !stack.stop?.aborted && !hasErrors(diagnostics);
      return isWhole ? "found" : "failed";
    }
    // The view gets the plan without its requests, because only the limits need the requests.
    const totals = view.plan(withoutRequests(plan));
    const refusals = this.#limits.refusals(limitedChanges(plan));
    if (refusals.length > 0) throw new DiagnosticError(refusals);
    const approval = { mode: "normal", autoApprove: this.args.autoApprove } as const;
    if (!(await isApproved(stack, totals, view, approval, this.terminal, this.#changed))) return "failed";
    const result = await apply();
    this.#changed.push({ name: stack.name, done: result.done });
    view.applied("normal", result);
    if (hasErrors([...diagnostics, ...result.diagnostics])) return "failed";
    return skipped.length > 0 ? "found" : "nothing";
  }

  async #planRepair(stack: OpenStack, drifted: readonly DriftedObject[], accepted: ReadonlySet<string>) {
    const planned = await stack.plan({ requests: this.#limits.hasRequestLimits });
    const diagnostics = withoutUnseen(planned.diagnostics, accepted);
    const repair = planRepair({ ...planned, diagnostics }, drifted);
    return { ...repair, diagnostics, apply: () => stack.apply(repair.plan) };
  }

  /** Reports the live objects that no stack declares, after the check of the last stack. */
  #after(view: RunView): StackOutcome {
    if (!this.args.coverage) {
      this.#warnUnmatched(view);
      return this.#paths.finish(view);
    }
    const unmanaged = unmanagedInAll(this.#scans);
    this.#ignore?.saw(
      unmanaged.map((object) => ({
        name: unmanagedName(object),
        attributes: object.attributes,
        place: unmanagedFinding(object).place,
      })),
    );
    for (const { listing } of this.#scans)
      for (const { path } of [...listing.containers, ...listing.archived]) this.#ignore?.searched(path);
    this.#warnUnmatched(view);
    const { reported, suppressed } = this.#filter.unmanaged(unmanaged);
    const containers = new Set(
      this.#scans.flatMap((one) => one.containers.map((name) => `${one.service} ${name}`)),
    );
    view.unmanaged(reported, containers.size, suppressed);
    return reported.length > 0 ? "found" : "nothing";
  }

  /**
   * Warns about entries of the ignore file that match nothing. A run on only some stacks or objects does not warn, because an
   * entry may match an object outside of the run.
   */
  #warnUnmatched(view: RunView): void {
    const { shard, stacks, targets, excludes, containers, coverage } = this.args;
    const limits = [stacks, targets, excludes, containers];
    const isWhole =
      shard === undefined && limits.every(({ length }) => length === 0) && this.#unreported === 0;
    view.diagnostics(isWhole ? (this.#ignore?.unmatched({ coverage }) ?? []) : []);
  }
}

const exitOf = (outcome: StackOutcome): number => exitCodeOf(outcome, true);
