import { hasErrors } from "../../diagnostics";
import type { ContainerSelection } from "../../framework";
import { unmanagedInAll } from "../drift/coverage";
import type { CoverageScan, DriftReport, UnmanagedObject } from "../model/drift";
import type { StackSource } from "../source/load-stacks";
import { overStacks, type RunEvent, type RunResult, type StackResult } from "./collect";
import type { EngineOptions } from "./options";
import type { Run } from "./run";

/** The drift of one stack. */
export interface DriftedStack extends StackResult {
  /** Undefined if the stack could not be compared. */
  readonly report: DriftReport | undefined;
}

/** The drift of all stacks. */
export interface DriftResult extends RunResult<DriftedStack> {
  readonly hasDrift: boolean;
  /** Live objects in the stacks' containers that no stack declares; empty without `coverage`. */
  readonly unmanaged: readonly UnmanagedObject[];
}

/** The options of a drift detection. */
export interface DriftRunOptions extends EngineOptions {
  /** Also scan for objects that are not declared. */
  readonly coverage?: boolean | undefined;
  /** With `coverage`: containers to scan besides those of the stacks. */
  readonly within?: readonly ContainerSelection[] | undefined;
}

/** Finds changes that were made outside of the configuration. Takes no lock and writes nothing. */
export function drift(source: StackSource, options: DriftRunOptions): Run<RunEvent, DriftResult> {
  const scans: CoverageScan[] = [];
  const { events, result } = overStacks<Pick<DriftedStack, "report">>(source, options, {
    locksFor: undefined,
    empty: { report: undefined },
    work: async (stack) => {
      await stack.read();
      const report = await stack.drift({ coverage: options.coverage === true, within: options.within });
      scans.push(...report.scans);
      const { diagnostics, drifted } = report;
      const outcome = hasErrors(diagnostics) ? "failed" : drifted.length > 0 ? "found" : "nothing";
      return { outcome, diagnostics, details: { report } };
    },
  });
  const driftResult = result.then((found): DriftResult => {
    const hasDrift = found.stacks.some(({ report }) => (report?.drifted.length ?? 0) > 0);
    return { ...found, hasDrift, unmanaged: unmanagedInAll(scans) };
  });
  driftResult.catch(() => undefined);
  return { events, result: driftResult };
}
