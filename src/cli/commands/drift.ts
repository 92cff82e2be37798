import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import {
  type ApplyResult,
  type CoverageScan,
  type DriftedObject,
  type DriftReport,
  type OpenStack,
  type Plan,
  planRepair,
  type SkippedObject,
  type StackOutcome,
  type State,
  unmanagedInAll,
} from "../../engine";
import type { DriftArguments } from "../arguments/drift";
import { fingerprintsIn, unmanagedName } from "../drift/finding";
import { FindingFilter, withoutUnseen } from "../drift/finding-filter";
import { SettingWaivers } from "../drift/waivers";
import { reportObservers } from "../reports/collector";
import { eachStack } from "../run/each-stack";
import { isApproved, Limits, requireApproval } from "../run/limits";
import { hasConfiguration, loadProviderOnly, readStandaloneState } from "../stacks/providers";
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
async function repairStack(
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
async function repairState(
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

/** Reports how the live objects differ from the declared ones. Only a repair writes, under a lock. */
export async function drift(args: DriftArguments, terminal: Terminal): Promise<number> {
  const { coverage, repair } = args;
  if (repair) requireApproval("drift --repair", args, terminal);
  const acceptance = accepting(args, terminal);
  const ignore = args.ignore.length === 0 ? undefined : SettingWaivers.read(args.ignore, terminal.folder);
  const filter = new FindingFilter(
    ignore,
    args.since === undefined ? undefined : fingerprintsIn(args.since, terminal.folder),
  );
  const warnings = [...(ignore?.warnings ?? [])];
  const scans: CoverageScan[] = [];
  const changed: ChangedStack[] = [];
  const guards = { limits: new Limits(args), changed };
  /** Number of stacks that were started but not reported. */
  let unreported = 0;

  const reportStack = (report: DriftReport, name: string | undefined, view: RunView): ReportedDrift => {
    ignore?.saw(
      [...report.objects, ...report.unchecked.map(({ object }) => object)].map(({ address, attributes }) => ({
        name: address,
        attributes,
      })),
    );
    const { reported, suppressed } = filter.drifted(report.drifted, name);
    const unchecked = filter.unchecked(report.unchecked);
    const accepted = new Set(unchecked.ignored.map((one) => one.name));
    const diagnostics = withoutUnseen(report.diagnostics, accepted);
    view.diagnostics(warnings.splice(0));
    view.drift(
      { ...report, drifted: reported, unchecked: unchecked.reported, diagnostics },
      { ...suppressed, ignored: [...suppressed.ignored, ...unchecked.ignored] },
    );
    const found = reported.length > 0 ? "found" : "nothing";
    return { reported, accepted, outcome: hasErrors(diagnostics) ? "failed" : found };
  };
  const observers = reportObservers("drift", args, terminal);
  const standaloneState = await readStandaloneState(args, terminal);
  // Projects and groups of the command line can be looked in without a declaration.
  const isBare = standaloneState === undefined && args.within.length > 0 && !hasConfiguration(args, terminal);
  const work = async (stack: OpenStack, view: RunView): Promise<StackOutcome> => {
    const { name } = stack;
    unreported += 1;
    if (standaloneState === undefined && !isBare) await (repair ? stack.recover() : stack.read());
    const accessOf = args.access
      ? (drifted: readonly DriftedObject[]) => filter.drifted(drifted, name).reported
      : undefined;
    const report = await (standaloneState === undefined
      ? stack.drift({ coverage, within: args.within, accessOf })
      : stack.driftOfState(standaloneState, { accessOf }));
    scans.push(...report.scans);
    await view.stopProgress();
    const { reported, accepted, outcome } = reportStack(report, name, view);
    unreported -= 1;
    await acceptance?.take(stack, reported);
    if (!repair || reported.length === 0) return outcome;
    const repaired = await (standaloneState === undefined
      ? repairStack(stack, view, { drifted: reported, accepted }, args, terminal, guards)
      : repairState(stack, view, { drifted: reported, state: standaloneState }, args, terminal, guards));
    return outcome === "failed" ? "failed" : repaired;
  };
  // With only some stacks or objects, an entry may match in the others.
  const warnUnmatched = (view: RunView): void => {
    const isWhole =
      args.shard === undefined &&
      args.stacks.length === 0 &&
      args.targets.length === 0 &&
      args.excludes.length === 0 &&
      (args.containers ?? []).length === 0 &&
      unreported === 0;
    view.diagnostics(isWhole ? (ignore?.unmatched({ coverage }) ?? []) : []);
  };
  const after = (view: RunView): StackOutcome => {
    if (!coverage) {
      warnUnmatched(view);
      return "nothing";
    }
    const unmanaged = unmanagedInAll(scans);
    ignore?.saw(unmanaged.map((object) => ({ name: unmanagedName(object), attributes: object.attributes })));
    warnUnmatched(view);
    const { reported, suppressed } = filter.unmanaged(unmanaged);
    const containers = new Set(
      scans.flatMap((one) => one.containers.map((name) => `${one.service} ${name}`)),
    );
    view.unmanaged(reported, containers.size, suppressed);
    return reported.length > 0 ? "found" : "nothing";
  };

  const options = {
    // A state of another engine is never written.
    locksFor: repair && standaloneState === undefined ? "drift --repair" : undefined,
    ...(acceptance !== undefined && { load: () => acceptance.load() }),
    ...((standaloneState !== undefined || isBare) && { load: () => loadProviderOnly(terminal) }),
    reversed: false,
    waits: false,
    merges: !repair,
    observers,
    after,
    waivers: () => ignore?.list() ?? [],
  };
  const outcome = await eachStack(args, terminal, options, work);
  if (acceptance === undefined || outcome === "failed") return EXIT[outcome];
  return EXIT[await acceptance.finish()];
}

function accepting(args: DriftArguments, terminal: Terminal) {
  if (args.accept === undefined) return undefined;
  // Loaded on use: only this option needs the parsers of code.
  const { Acceptance }: typeof import("./accept") = require("./accept");
  return new Acceptance(args, args.accept, terminal);
}

/** The reported findings of one stack and the outcome. */
interface ReportedDrift {
  readonly reported: readonly DriftedObject[];
  /** Addresses of unreadable objects that the ignore file accepts. */
  readonly accepted: ReadonlySet<string>;
  readonly outcome: StackOutcome;
}

const EXIT: Readonly<Record<StackOutcome, number>> = { failed: 1, found: 2, nothing: 0 };
