import type { Diagnostic } from "../../diagnostics";
import {
  type CountedDeletes,
  changingOf,
  countDeletes,
  type DriftReport,
  isShown,
  type OutputChange,
  type Plan,
  type ResourceChange,
  sameValue,
  type Value,
  type ValueObject,
  withoutKey,
  withoutKeys,
} from "../../engine";
import { changedOutside, compare, NO_CONTEXT, onlyReverts } from "../difference";
import type { NamedSource } from "../terminal/terminal";
import { describeChange, describeDrifted } from "./describe";
import type { ReportObject, ReportOutput, ReportStack } from "./model";

/**
 * Returns the drift to show: all drift in a refresh-only plan, otherwise, as in Terraform, only drift that may
 * cause a planned change.
 */
function relevantDrift({
  mode,
  drift,
  hasChanges,
  relevantAttributes,
}: Pick<Plan, "mode" | "drift" | "hasChanges" | "relevantAttributes">): readonly ResourceChange[] {
  if (mode === "refresh-only") return drift;
  if (mode === "destroy" || !hasChanges) return [];
  return drift.flatMap((change) => {
    const relevant = relevantAttributes.filter(
      ({ resource }) => resource === change.address || resource === withoutKey(change.address),
    );
    const isWhole = relevant.some(({ attribute }) => attribute.length === 0);
    const names = isWhole
      ? Object.keys({ ...change.before, ...change.after })
      : relevant.map(({ attribute }) => String(attribute[0]));
    const found = onlyRelevant(change, new Set(names));
    return found === undefined ? [] : [found];
  });
}

/** The change reduced to the relevant attributes. Undefined if none of them differs. */
function onlyRelevant(change: ResourceChange, names: ReadonlySet<string>): ResourceChange | undefined {
  const { before, after } = change;
  if (before === null || change.action === "no-op") return undefined;
  const value = (state: ValueObject | null, name: string): Value => state?.[name] ?? null;
  const differing = [...names].filter((name) => !sameValue(value(before, name), value(after, name)));
  if (differing.length === 0) return undefined;
  return {
    ...change,
    after: { ...before, ...Object.fromEntries(differing.map((name) => [name, value(after, name)])) },
  };
}

/** Counts by the names in Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

/** The counts of several stacks together. */
export function sumOf(all: readonly Counts[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, count] of all.flatMap((counts) => Object.entries(counts)))
    total[name] = (total[name] ?? 0) + count;
  return total;
}

/** All counts of a plan. */
export const planCounts = (
  plan: Pick<Plan, "summary" | "changes" | "changing" | "unchecked" | "diagnostics">,
): Counts => ({
  ...plan.summary,
  ...existingCounts(changingOf(plan)),
  ...failedCounts(plan.diagnostics, plan.unchecked),
});

/**
 * Returns the number of existing objects that a plan imports, and the number of these objects that the plan also changes. Returns
 * no counts if there are none.
 */
function existingCounts(changes: readonly Pick<ResourceChange, "importing" | "action">[]): Counts {
  const existing = changes.filter(({ importing }) => importing?.existing === true);
  if (existing.length === 0) return {};
  const changing = existing.filter(({ action }) => action !== "no-op");
  return { existing: existing.length, existing_to_change: changing.length };
}

const NO_OBJECT = /^(?:output|var|local|provider|check|module)\./;

/**
 * Returns the number of objects that could not be checked, and the number of other objects with an error. Omits counts of zero.
 */
export function failedCounts(diagnostics: readonly Diagnostic[], unchecked: readonly string[]): Counts {
  const apart = new Set(unchecked);
  const errors = diagnostics.filter(
    ({ severity, code, address }) =>
      severity === "error" &&
      code !== "policy_violated" &&
      address !== undefined &&
      !NO_OBJECT.test(address) &&
      !apart.has(address),
  );
  const { size: failed } = new Set(errors.map(({ address }) => address));
  return {
    ...(failed > 0 && { failed }),
    ...(unchecked.length > 0 && { unchecked: unchecked.length }),
  };
}

/** The changes of a plan that the limits of a run count. */
export interface LimitedChanges {
  readonly deletes: readonly CountedDeletes[];
  readonly changes: readonly LimitedChange[];
  readonly imports: readonly LimitedChange[];
}

type LimitedChange = Pick<CountedDeletes, "address"> & Partial<CountedDeletes>;

const UNLIMITED_ACTIONS: ReadonlySet<string> = new Set(["no-op", "read", "forget"]);

/** Returns the changes that limits count. A refresh-only plan has none, because it changes only the state. */
export function limitedChanges(
  plan: Pick<Plan, "mode" | "changes" | "changing" | "requests">,
): LimitedChanges {
  if (plan.mode === "refresh-only") return { deletes: [], changes: [], imports: [] };
  const changing = changingOf(plan);
  const named = ({ address }: ResourceChange): LimitedChange => ({ address });
  return {
    deletes: countDeletes(plan),
    changes: changing.filter(({ action }) => !UNLIMITED_ACTIONS.has(action)).map(named),
    imports: changing.filter(({ importing }) => importing !== undefined).map(named),
  };
}

export const isChangedOutside = ({ attributes }: ReportObject): boolean =>
  attributes.some(({ changed_outside: values }) => values !== undefined);

/** The numbers of objects that were changed and deleted outside since the last apply. */
export interface OutsideCounts {
  readonly changed: number;
  readonly deleted: number;
}

export const outsideCounts = (objects: readonly ReportObject[]): OutsideCounts => ({
  changed: objects.filter(isChangedOutside).length,
  deleted: objects.filter((object) => object.deleted_outside).length,
});

/** The part of the document that a plan of a stack fills. */
export interface PlannedStack extends Pick<ReportStack, "objects" | "outputs"> {
  readonly plan: NonNullable<ReportStack["plan"]>;
  readonly outside: NonNullable<ReportStack["outside"]>;
  readonly unchecked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The parts of a plan from which a document is made. */
export type PlanModel = Omit<Plan, "basis"> & Partial<Pick<Plan, "basis">>;

/**
 * A plan as the document has it. A refresh-only plan has the objects that changed outside.
 *
 * @param isWhole whether the objects that stay are listed as well
 */
export function describePlan(plan: PlanModel, isWhole = false): PlannedStack {
  const { mode, applicable, hasChanges, drift, outputs, unchecked, diagnostics, basis } = plan;
  const isRefresh = mode === "refresh-only";
  const outside = changedOutside(plan);
  const isRevert = onlyReverts(plan);
  // Data sources are not managed objects.
  const changes = () => (isWhole ? plan.changes : changingOf(plan));
  const listed = (isRefresh ? drift : changes()).filter(
    (change) => isShown(change) || (isWhole && change.mode === "managed"),
  );
  return {
    plan: { mode, applicable, has_changes: hasChanges, counts: { ...planCounts(plan) } },
    objects: listed.map((change) =>
      withDependencies(describeChange(change, outside(change), isRevert(change)), basis?.dependencies),
    ),
    outside: isRefresh ? [] : relevantDrift(plan).map((change) => describeChange(change)),
    outputs: outputs.map(describeOutput),
    unchecked,
    diagnostics,
  };
}

function describeOutput({ name, action, before, after, sensitive }: OutputChange): ReportOutput {
  if (action === "no-op") return { name, action };
  const [was, now] = [action === "create" ? undefined : before, action === "delete" ? undefined : after];
  return { name, action, difference: compare(was, now, { ...NO_CONTEXT, isSecret: sensitive }) };
}

/** Returns an object that changes, with the declarations to which its own declaration refers. */
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
  /** Whether the run searched for undeclared objects. */
  readonly hasSearched: boolean;
}

export const describeDrift = (
  { drifted, objects, unchecked, scans, diagnostics, dependencies }: DriftReport,
  stack: string | undefined,
  source?: NamedSource,
): DriftedStack => ({
  objects: drifted.map((one) => withDependencies(describeDrifted(one, stack, source), dependencies)),
  checked: objects.length,
  hasSearched: scans.length > 0,
  unchecked: unchecked.map(({ object }) => object.address),
  diagnostics,
});
