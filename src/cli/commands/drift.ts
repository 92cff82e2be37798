import { hasErrors } from "../../diagnostics";
import { type DriftReport, detectDrift, type Looked, unmanagedByAll } from "../../engine";
import { unsettledWarning } from "../../engine/journal/unsettled";
import type { DriftArguments } from "../arguments/drift";
import { isByProgram } from "../arguments/stack-options";
import { fingerprintsIn } from "../drift/earlier-run";
import { IgnoreFile } from "../drift/ignore-file";
import { Sieve } from "../drift/sieve";
import { reportObservers } from "../reports/observers";
import { eachStack, type OpenStack, type Outcome } from "../stack/each-stack";
import type { Terminal } from "../terminal";
import type { RunView } from "../views/run-view";

/** Tells what differs on the service from what is declared. Takes no lock, because it writes nothing. */
export async function drift(args: DriftArguments, terminal: Terminal): Promise<number> {
  const { coverage } = args;
  const ignore = args.ignore === undefined ? undefined : IgnoreFile.read(args.ignore, terminal.folder);
  const sieve = new Sieve(
    ignore,
    args.since === undefined ? undefined : fingerprintsIn(args.since, terminal.folder),
  );
  const warnings = [...(ignore?.warnings ?? [])];
  const looked: Looked[] = [];

  const tell = (report: DriftReport, name: string | undefined, view: RunView): Outcome => {
    const { told, passedOver } = sieve.drifted(report.drifted, name);
    view.diagnostics(warnings.splice(0));
    view.drift({ ...report, drifted: told }, passedOver);
    if (hasErrors(report.diagnostics)) return "failed";
    return told.length > 0 ? "found" : "nothing";
  };
  const observers = reportObservers("drift", args, terminal);
  if (isByProgram(args)) {
    const { driftByProgram }: typeof import("../engines/drift") = require("../engines/drift");
    return EXIT[await driftByProgram(args, terminal, observers, tell)];
  }
  const work = async ({ name, context, backend, view }: OpenStack): Promise<Outcome> => {
    view.diagnostics(await unsettledWarning(backend));
    const report = await detectDrift(context, await backend.read(), { coverage });
    looked.push(...report.looked);
    await view.settle();
    return tell(report, name, view);
  };
  const after = (view: RunView): Outcome => {
    if (!coverage) return "nothing";
    const { told, passedOver } = sieve.unmanaged(unmanagedByAll(looked));
    const containers = new Set(
      looked.flatMap((one) => one.containers.map((name) => `${one.service} ${name}`)),
    );
    view.unmanaged({ objects: told, containers: containers.size }, passedOver);
    return told.length > 0 ? "found" : "nothing";
  };

  const manner = { locksFor: undefined, reversed: false, waits: false, observers, after };
  return EXIT[await eachStack(args, terminal, manner, work)];
}

const EXIT: Readonly<Record<Outcome, number>> = { failed: 1, found: 2, nothing: 0 };
