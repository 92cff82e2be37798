import { hasErrors } from "../../diagnostics";
import { detectDrift } from "../../engine";
import type { DriftArguments } from "../arguments/drift";
import { reportObservers } from "../reports/observers";
import { eachStack, type Outcome } from "../stack/each-stack";
import type { Terminal } from "../terminal";

/** Tells what differs on the service from what is declared. Takes no lock, because it writes nothing. */
export async function drift(args: DriftArguments, terminal: Terminal): Promise<number> {
  const manner = {
    locksFor: undefined,
    reversed: false,
    waits: false,
    observers: reportObservers("drift", args, terminal),
  };
  const outcome = await eachStack(
    args,
    terminal,
    manner,
    async ({ context, backend, view }): Promise<Outcome> => {
      const report = await detectDrift(context, await backend.read());
      await view.settle();
      view.drift(report);
      if (hasErrors(report.diagnostics)) return "failed";
      return report.drifted.length > 0 ? "found" : "nothing";
    },
  );
  return { failed: 1, found: 2, nothing: 0 }[outcome];
}
