import { hasErrors } from "../../diagnostics";
import { unmanagedInAll } from "../drift/coverage";
import type { CoverageScan, DriftReport, UnmanagedObject } from "../model/drift";
import type { StackSource } from "../source/load-stacks";
import { overStacks, type RunEvent, type RunResult, type StackResult } from "./collect";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** What differs on the service from the state of one stack, in what its configuration declares. */
export interface DriftedStack extends StackResult {
  /** Undefined if the stack could not be compared. */
  readonly report: DriftReport | undefined;
}

/** What differs on the service, over all stacks. */
export interface DriftResult extends RunResult<DriftedStack> {
  readonly hasDrift: boolean;
  /** What is live in the containers that the stacks touch, and declared by none of them; with `coverage` alone. */
  readonly unmanaged: readonly UnmanagedObject[];
}

/** How stacks are compared with the service. */
export interface DriftRunOptions extends EngineOptions {
  /** Looks for what nobody declares as well. */
  readonly coverage?: boolean | undefined;
}

/** Looks for what somebody changed by hand. Takes no lock, and writes nothing. */
export function drift(source: StackSource, options: DriftRunOptions): Run<RunEvent, DriftResult> {
  const scans: CoverageScan[] = [];
  const { events, result } = overStacks<Pick<DriftedStack, "report">>(source, options, {
    locksFor: undefined,
    empty: { report: undefined },
    work: async (stack) => {
      await stack.read();
      const report = await stack.drift({ coverage: options.coverage === true });
      scans.push(...report.scans);
      const { diagnostics, drifted } = report;
      const outcome = hasErrors(diagnostics) ? "failed" : drifted.length > 0 ? "found" : "nothing";
      return { outcome, diagnostics, details: { report } };
    },
  });
  const whole = result.then((found): DriftResult => {
    const hasDrift = found.stacks.some(({ report }) => (report?.drifted.length ?? 0) > 0);
    return { ...found, hasDrift, unmanaged: unmanagedInAll(scans) };
  });
  whole.catch(() => undefined);
  return { events, result: whole };
}
