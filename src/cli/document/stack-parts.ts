import type { Diagnostic } from "../../diagnostics";
import { type DriftReport, type OutputChange, type Plan, withoutKeys } from "../../engine";
import { changedOutside, compare, NO_CONTEXT } from "../difference";
import { describeChange, describeDrifted, isShown } from "./describe";
import type { ReportObject, ReportOutput, ReportStack } from "./model";
import { relevantDrift } from "./relevant-drift";
import { planCounts } from "./totals";

/** The part of the document that a plan of a stack fills. */
export interface PlannedStack extends Pick<ReportStack, "objects" | "outputs"> {
  readonly plan: NonNullable<ReportStack["plan"]>;
  readonly outside: NonNullable<ReportStack["outside"]>;
  readonly unchecked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a plan is made into a document from. */
export type PlanModel = Omit<Plan, "basis"> & Partial<Pick<Plan, "basis">>;

/**
 * A plan as the document has it. A refresh-only plan has the objects that changed outside.
 *
 * @param isWhole whether the objects that stay are listed as well
 */
export function describePlan(plan: PlanModel, isWhole = false): PlannedStack {
  const { mode, applicable, hasChanges, changes, drift, outputs, unchecked, diagnostics, basis } = plan;
  const isRefresh = mode === "refresh-only";
  const outside = changedOutside(plan);
  // Data sources are not managed objects.
  const listed = (isRefresh ? drift : changes).filter(
    (change) => isShown(change) || (isWhole && change.mode === "managed"),
  );
  return {
    plan: { mode, applicable, has_changes: hasChanges, counts: { ...planCounts(plan) } },
    objects: listed.map((change) =>
      withDependencies(describeChange(change, outside(change)), basis?.dependencies),
    ),
    outside: isRefresh ? [] : relevantDrift(plan).map((change) => describeChange(change)),
    outputs: outputs.map(describeOutput),
    unchecked,
    diagnostics,
  };
}

function describeOutput({ name, action, before, after, sensitive }: OutputChange): ReportOutput {
  if (action === "no-op") return { name, action };
  const [was, is] = [action === "create" ? undefined : before, action === "delete" ? undefined : after];
  return { name, action, difference: compare(was, is, { ...NO_CONTEXT, secret: sensitive }) };
}

/** An object that changes, with the declarations that its own refers to. */
function withDependencies(object: ReportObject, all: Plan["basis"]["dependencies"]): ReportObject {
  if (object.status === "unchanged") return object;
  const dependsOn = all?.get(withoutKeys(object.address)) ?? [];
  return dependsOn.length === 0 ? object : { ...object, depends_on: [...dependsOn] };
}

/** The part of the document that the drift of a stack fills. */
export interface DriftedStack extends Pick<PlannedStack, "unchecked" | "diagnostics"> {
  /** The objects that drifted. */
  readonly objects: ReportObject[];
  /** The number of objects that were compared. */
  readonly checked: number;
  /** Whether anything was searched for what is not declared. */
  readonly hasSearched: boolean;
}

export const describeDrift = (
  { drifted, objects, unchecked, scans, diagnostics, dependencies }: DriftReport,
  stack: string | undefined,
): DriftedStack => ({
  objects: drifted.map((one) => withDependencies(describeDrifted(one, stack), dependencies)),
  checked: objects.length,
  hasSearched: scans.length > 0,
  unchecked: unchecked.map(({ object }) => object.address),
  diagnostics,
});
