import { hasErrors } from "../../diagnostics";
import {
  type CoverageScan,
  type DriftedObject,
  type DriftReport,
  type OpenStack,
  type StackOutcome,
  unmanagedInAll,
} from "../../engine";
import type { DriftArguments } from "../arguments/drift";
import { fingerprintsIn } from "../drift/earlier-run";
import { unmanagedName } from "../drift/finding";
import { FindingFilter, withoutUnseen } from "../drift/finding-filter";
import { SettingWaivers } from "../drift/setting-waivers";
import { reportObservers } from "../reports/observers";
import { requireApproval } from "../run/approval";
import { eachStack } from "../run/each-stack";
import { Limits } from "../run/limits";
import { hasConfiguration, loadProviderOnly, readStandaloneState } from "../stacks/standalone-state";
import type { Terminal } from "../terminal/terminal";
import type { ChangedStack } from "../views/approval";
import type { RunView } from "../views/run-view";
import { repairStack, repairState } from "./repair";

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
    view.tell({
      kind: "unmanaged",
      found: { objects: reported, containers: containers.size },
      suppressed,
    });
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
