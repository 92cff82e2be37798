import { hasErrors } from "../../diagnostics";
import {
  type CoverageScan,
  type DriftedObject,
  type DriftReport,
  type OpenStack,
  type Outcome,
  unmanagedInAll,
} from "../../engine";
import type { DriftArguments } from "../arguments/drift";
import { fingerprintsIn } from "../drift/earlier-run";
import { unmanagedName } from "../drift/finding";
import { FindingFilter, withoutUnseen } from "../drift/finding-filter";
import { IgnoreFile } from "../drift/ignore-file";
import { reportObservers } from "../reports/observers";
import { refuseUnasked } from "../run/approval";
import { eachStack } from "../run/each-stack";
import { loadProviderAlone, stateAlone } from "../stacks/state-alone";
import type { Terminal } from "../terminal/terminal";
import type { ChangedStack } from "../views/approval";
import type { RunView } from "../views/run-view";
import { repairStack, repairState } from "./repair";

/** Tells what differs on the service from what is declared, and writes nothing; a repair undoes it under a lock. */
export async function drift(args: DriftArguments, terminal: Terminal): Promise<number> {
  const { coverage, repair } = args;
  if (repair) refuseUnasked("drift --repair", args, terminal);
  const ignore = args.ignore === undefined ? undefined : IgnoreFile.read(args.ignore, terminal.folder);
  const filter = new FindingFilter(
    ignore,
    args.since === undefined ? undefined : fingerprintsIn(args.since, terminal.folder),
  );
  const warnings = [...(ignore?.warnings ?? [])];
  const looked: CoverageScan[] = [];
  const changed: ChangedStack[] = [];
  /** Stacks that nothing could be told of yet. */
  let begun = 0;

  const tell = (report: DriftReport, name: string | undefined, view: RunView): Told => {
    ignore?.saw(
      [...report.objects, ...report.unchecked.map(({ object }) => object)].map(({ address, attributes }) => ({
        name: address,
        attributes,
      })),
    );
    const { told, suppressed } = filter.drifted(report.drifted, name);
    const unchecked = filter.unchecked(report.unchecked);
    const accepted = new Set(unchecked.ignored.map((one) => one.name));
    const diagnostics = withoutUnseen(report.diagnostics, accepted);
    view.diagnostics(warnings.splice(0));
    view.drift(
      { ...report, drifted: told, unchecked: unchecked.told, diagnostics },
      { ...suppressed, ignored: [...suppressed.ignored, ...unchecked.ignored] },
    );
    const found = told.length > 0 ? "found" : "nothing";
    return { told, accepted, outcome: hasErrors(diagnostics) ? "failed" : found };
  };
  const observers = reportObservers("drift", args, terminal);
  const kept = await stateAlone(args, terminal);
  const work = async (stack: OpenStack, view: RunView): Promise<Outcome> => {
    const { name } = stack;
    begun += 1;
    if (kept === undefined) await (repair ? stack.recover() : stack.read());
    const report = await (kept === undefined ? stack.drift({ coverage }) : stack.driftOfState(kept));
    looked.push(...report.scans);
    await view.stopProgress();
    const { told, accepted, outcome } = tell(report, name, view);
    begun -= 1;
    if (!repair || told.length === 0) return outcome;
    const repaired = await (kept === undefined
      ? repairStack(stack, view, { drifted: told, accepted }, args, terminal, changed)
      : repairState(stack, view, { drifted: told, state: kept }, args, terminal));
    return outcome === "failed" ? "failed" : repaired;
  };
  // Of a part of the stacks or objects an entry may name another part.
  const tellUnmatched = (view: RunView): void => {
    const isWhole = args.stacks.length === 0 && args.targets.length === 0 && begun === 0;
    view.diagnostics(isWhole ? (ignore?.unmatched({ coverage }) ?? []) : []);
  };
  const after = (view: RunView): Outcome => {
    if (!coverage) {
      tellUnmatched(view);
      return "nothing";
    }
    const unmanaged = unmanagedInAll(looked);
    ignore?.saw(unmanaged.map((object) => ({ name: unmanagedName(object), attributes: object.attributes })));
    tellUnmatched(view);
    const { told, suppressed } = filter.unmanaged(unmanaged);
    const containers = new Set(
      looked.flatMap((one) => one.containers.map((name) => `${one.service} ${name}`)),
    );
    view.unmanaged({ objects: told, containers: containers.size }, suppressed);
    return told.length > 0 ? "found" : "nothing";
  };

  const manner = {
    // A state that another engine keeps is not written.
    locksFor: repair && kept === undefined ? "drift --repair" : undefined,
    ...(kept !== undefined && { load: () => loadProviderAlone(terminal) }),
    reversed: false,
    waits: false,
    observers,
    after,
  };
  return EXIT[await eachStack(args, terminal, manner, work)];
}

/** What is told of one stack, and how that ends. */
interface Told {
  readonly told: readonly DriftedObject[];
  /** Addresses of objects that can't be seen, which the ignore file accepts. */
  readonly accepted: ReadonlySet<string>;
  readonly outcome: Outcome;
}

const EXIT: Readonly<Record<Outcome, number>> = { failed: 1, found: 2, nothing: 0 };
