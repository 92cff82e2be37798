import { hasErrors } from "../../diagnostics";
import type { AccessReport, AccessRequest } from "../../framework";
import type { DriftedObject, DriftReport } from "../model/drift";
import { askByService } from "../plan/describe-access";
import type { StackRun } from "../run/stack-run";
import type { FoundDrift } from "./found-drift";

export interface DriftAccess {
  /** Says who gained and who lost access by those of the drifted objects that it returns. */
  readonly accessOf?: ((drifted: readonly DriftedObject[]) => readonly DriftedObject[]) | undefined;
}

interface Findings extends Pick<DriftReport, "drifted" | "unchecked"> {
  readonly found: readonly FoundDrift[];
}

/**
 * Who gained and who lost access by hand. Providers describe what changes live objects, so they describe the change that
 * would restore what was applied, in reverse.
 */
export async function accessOfDrift(
  run: StackRun,
  { found, drifted, unchecked }: Findings,
  accessOf: DriftAccess["accessOf"],
): Promise<Pick<DriftReport, "access">> {
  if (accessOf === undefined || run.context.stop?.aborted) return {};
  const byAddress = new Map(found.map((one) => [one.drifted.change.address, one]));
  const changes = accessOf(drifted).map((one) => restoring(one, byAddress.get(one.change.address)!));
  const access = await run.guard("access", async (): Promise<AccessReport> => {
    const reports = await askByService(run, changes, (provider, all) =>
      provider.describeAccess?.(all, { isReversed: true }),
    );
    return {
      places: reports.flatMap(({ places }) => places),
      touched: reports.flatMap(({ touched = [] }) => touched),
      notCounted: [...reports.flatMap(({ notCounted }) => notCounted), ...notChecked(run, unchecked)],
    };
  });
  return typeof access === "object" ? { access } : {};
}

/** The change that restores the drifted attributes, or the object. */
function restoring(
  { kind, change: { type, address }, attributes }: DriftedObject,
  { provider, refreshed: { before, live } }: FoundDrift,
): { readonly provider: string; readonly request: AccessRequest } {
  const restored = attributes.map((name) => [name, before.attributes[name] ?? null] as const);
  const applied =
    kind === "vanished" ? before.attributes : { ...live?.attributes, ...Object.fromEntries(restored) };
  const planned = { ...before, attributes: applied };
  return { provider, request: { type, address, prior: live, planned, config: applied } };
}

function notChecked(run: StackRun, unchecked: DriftReport["unchecked"]): AccessReport["notCounted"] {
  if (unchecked.length > 0)
    return unchecked.map(({ object }) => ({ what: object.address, why: "it could not be checked" }));
  return hasErrors(run.diagnostics) ? [{ what: "objects that were not checked", why: "the run failed" }] : [];
}
