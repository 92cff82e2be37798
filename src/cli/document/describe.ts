import { attributeOf, causeOf, type Diagnostic } from "../../diagnostics";
import {
  type ChangeMetadata,
  type CountedDeletes,
  changingOf,
  countDeletes,
  type DriftedObject,
  type DriftReport,
  type Encoding,
  encodeValue,
  factsOf,
  isShown,
  isUnknown,
  isWhollyKnown,
  type OutputChange,
  type Plan,
  type ResourceChange,
  titleOf,
  type Value,
  withoutKeys,
} from "../../engine";
import { defined } from "../../json";
import { detailOf } from "../arguments/suggested-command";
import {
  type ChangedOutside,
  changedOutside,
  compare,
  driftedFields,
  type Field,
  fieldsOf,
  hiddenPathsOf,
  isDeletedOutside,
  isOnlyRevert,
  NO_CONTEXT,
  type OutsideValues,
  relevantDrift,
  secretNames,
  shownValues,
} from "../difference";
import { driftFinding } from "../findings/finding";
import { driftCommands } from "../findings/manage-commands";
import { isKeptOnService, keyOf, placeOf, strictnessOf } from "../objects/object-facts";
import type { NamedSource } from "../terminal/terminal";
import {
  type Counts,
  type DriftedStack,
  failedCounts,
  type OutsideCounts,
  type PlanModel,
  type PlannedStack,
} from "./counts";
import type { ReportAttribute, ReportDiagnostic, ReportObject, ReportOutput } from "./model";

/**
 * Returns a planned object in the form that reports contain.
 *
 * @param isRevert whether the change only reverts a manual change
 */
export function describeChange(
  change: ResourceChange,
  outside?: ChangedOutside,
  isRevert = false,
): ReportObject {
  const status = isShown(change) ? "planned" : "unchanged";
  const shownChange = {
    ...change,
    before: shownValues(change, "before"),
    after: shownValues(change, "after"),
  };
  // Uses no spread, because V8 is slow to add fields to a copy, and a plan can have thousands of objects.
  return Object.assign(
    describeObject(shownChange, status, fieldsToShow(change, outside), outside),
    factsOf(change),
    defined({
      strictness: strictnessOf(change),
      stays_on_service: isTrue(isKeptOnService(change)),
      deleted_outside: isTrue(isDeletedOutside(outside)),
      is_revert: isTrue(isRevert),
    }),
  );
}

/**
 * Returns the changed and unchanged fields of an object. If the object is only imported, the result shows all its fields as
 * new.
 */
function fieldsToShow(change: ResourceChange, outside: ChangedOutside | undefined): readonly Field[] {
  if (!isShown(change)) return [];
  const isOnlyImported = change.action === "no-op" && change.importing !== undefined;
  return fieldsOf(isOnlyImported ? { ...change, before: null } : change, outside);
}

/** Returns true if a flag is set, otherwise undefined, because reports omit flags that are not set. */
export const isTrue = (isSet: boolean | undefined): true | undefined => isSet || undefined;

/** Returns a drifted object in the form that reports contain. */
export function describeDrifted(
  drifted: DriftedObject,
  stack: string | undefined,
  source?: NamedSource,
): ReportObject {
  const { kind, change, declared, notKnownDeclared = [] } = drifted;
  const object = describeObject(change, kind, driftedFields(drifted));
  const { address, project, group } = object;
  return {
    ...object,
    ...defined({
      strictness: strictnessOf({ ...change, action: kind === "vanished" ? "delete" : "update" }),
    }),
    commands: driftCommands({ address, project, group }, kind, stack, source),
    fingerprint: driftFinding(drifted, stack).fingerprint(),
    attributes: object.attributes.map((attribute) => {
      const declaredValue = declared[attribute.name];
      const isPrintable = declaredValue !== undefined && !attribute.sensitive && isWhollyKnown(declaredValue);
      return {
        ...attribute,
        ...(isPrintable && { declared: reportedValue(declaredValue) }),
        ...(notKnownDeclared.includes(attribute.name) && { known_to_be_declared: false as const }),
      };
    }),
  };
}

/** Returns an object with its compared fields, in the form that reports contain. */
export function describeObject(
  change: Described,
  status: ReportObject["status"],
  fields: readonly Field[] = [],
  outside?: ChangedOutside,
): ReportObject {
  const same = fields.filter(({ difference }) => difference.mark === " ");
  const identity = same.filter(({ name }) => IDENTIFYING.has(name));
  const different = fields.filter(({ difference }) => difference.mark !== " ");
  const secret = different.length === 0 ? undefined : secretNames(different, hiddenPathsOf(change));
  const { address, type, construct } = change;
  return {
    address,
    type,
    ...placeOf(change),
    ...defined({ name: keyOf(change), construct }),
    status,
    attributes: different.map((field) =>
      secret?.has(field.name)
        ? describeSecret(field, outside?.has(field.name))
        : describeAttribute(field, change, outside?.get(field.name)),
    ),
    ...(same.length > 0 && { unchanged: { identity, others: same.length - identity.length } }),
    diagnostics: [],
  };
}

/** The attributes that reports show even without a change, because these attributes identify the object. */
const IDENTIFYING = new Set(["id", "name"]);

/** Returns a diagnostic in the form that reports of all formats use. */
export function describeDiagnostic(diagnostic: Diagnostic, source?: NamedSource): ReportDiagnostic {
  const { severity, code, summary, address, construct, position, rule } = diagnostic;
  const texts = { severity, code, summary, detail: detailOf(diagnostic, source) };
  const attribute = attributeOf(diagnostic);
  return defined({ ...texts, attribute, address, construct, position, rule, cause: causeOf(diagnostic) });
}

/**
 * The facts about an object in the reports of all commands. `before` and `after` are absent if the report has no values, and
 * null if the object does not exist.
 */
type Described = Omit<ChangeMetadata, "mode" | "name" | "provider" | "replacePaths"> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/** Returns an attribute with a sensitive part: only the difference, because the whole values would contain this part. */
const describeSecret = ({ name, difference }: Field, isChangedOutside = false): ReportAttribute => ({
  name,
  sensitive: true,
  difference,
  ...(isChangedOutside && { changed_outside: {} }),
});

/** Returns an attribute without sensitive parts, with its values. */
function describeAttribute(
  { name, difference }: Field,
  { before, after, replaced, attributes }: Described,
  outside: OutsideValues | undefined,
): ReportAttribute {
  const next = after?.[name] ?? null;
  const live = replaced?.live?.[name];
  const names = difference.kind === "leaf" ? attributes[name]?.text.values : undefined;
  const nameOf = (when: "before" | "after"): { before_name?: string; after_name?: string } => {
    const hasTitle = difference.kind === "leaf" && difference[when] !== undefined && names !== undefined;
    const found = hasTitle ? titleOf(names, { before, after }[when]?.[name]) : undefined;
    return found === undefined ? {} : { [`${when}_name`]: found };
  };
  return {
    name,
    sensitive: false,
    ...(before !== null && before !== undefined && { before: reportedValue(before[name] ?? null) }),
    ...(after !== null && after !== undefined && !isUnknown(next) && { after: reportedValue(next) }),
    ...(!isWhollyKnown(next) && { unknown: true }),
    ...(live !== undefined && { live: reportedValue(live) }),
    ...nameOf("before"),
    ...nameOf("after"),
    difference,
    ...(outside && {
      changed_outside: { applied: reportedValue(outside.applied), live: reportedValue(outside.live) },
    }),
  };
}

/** Reports contain no attribute with a sensitive part, so their values have no marks. */
const NO_MARKS: Encoding = { markOf: () => 0 };

/** Returns a value of an attribute as reports contain it, in the encoding of saved plans and approval files. */
export const reportedValue = (value: Value) => encodeValue(value, [], NO_MARKS);

/** Returns all counts of a plan. */
export const planCounts = (
  plan: Pick<Plan, "summary" | "changes" | "changing" | "unchecked" | "diagnostics">,
): Counts => ({
  ...plan.summary,
  ...existingCounts(changingOf(plan)),
  ...failedCounts(plan.diagnostics, plan.unchecked),
});

/**
 * Returns the number of existing objects that a plan imports, and the number of these objects that the plan also changes.
 * Returns no counts if the plan imports nothing.
 */
function existingCounts(changes: readonly Pick<ResourceChange, "importing" | "action">[]): Counts {
  const existing = changes.filter(({ importing }) => importing?.existing === true);
  if (existing.length === 0) return {};
  const changing = existing.filter(({ action }) => action !== "no-op");
  return { existing: existing.length, existing_to_change: changing.length };
}

/** The changes of a plan that count for the limits of a run. */
export interface LimitedChanges {
  readonly deletes: readonly CountedDeletes[];
  readonly changes: readonly LimitedChange[];
  readonly imports: readonly LimitedChange[];
}

type LimitedChange = Pick<CountedDeletes, "address"> & Partial<CountedDeletes>;

const UNLIMITED_ACTIONS: ReadonlySet<string> = new Set(["no-op", "read", "forget"]);

/**
 * Returns the changes that count for limits such as `--max-changes`. No change of a refresh-only plan counts, because the plan
 * changes only the state.
 */
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

export const outsideCounts = (objects: readonly ReportObject[]): OutsideCounts => ({
  changed: objects.filter(isChangedOutside).length,
  deleted: objects.filter((object) => object.deleted_outside).length,
});

/**
 * Returns a plan in the form that reports contain. For a refresh-only plan, the report lists the objects that changed outside
 * since the last apply.
 *
 * @param isWhole whether the report also lists the objects without changes
 */
export function describePlan(plan: PlanModel, isWhole = false): PlannedStack {
  const { mode, applicable, hasChanges, drift, outputs, unchecked, diagnostics, basis } = plan;
  const isRefresh = mode === "refresh-only";
  const outside = changedOutside({ mode, drift });
  // Only a normal plan marks reverts: a refresh-only plan shows the drift itself, and a destroy removes all values.
  const drifted = new Map((mode === "normal" ? drift : []).map((change) => [change.address, change]));
  // Reports do not list data sources, because Steward does not manage data sources.
  const changes = () => (isWhole ? plan.changes : changingOf(plan));
  const listed = (isRefresh ? drift : changes()).filter(
    (change) => isShown(change) || (isWhole && change.mode === "managed"),
  );
  return {
    plan: { mode, applicable, has_changes: hasChanges, counts: { ...planCounts(plan) } },
    objects: listed.map((change) => {
      const live = drifted.get(change.address);
      const isRevert = live !== undefined && isOnlyRevert(change, live);
      return withDependencies(describeChange(change, outside(change), isRevert), basis?.dependencies);
    }),
    outside:
      isRefresh || drift.length === 0
        ? []
        : relevantDrift({ mode, drift, hasChanges, relevantAttributes: plan.relevantAttributes }).map(
            (change) => describeChange(change),
          ),
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

/**
 * Returns a changed object with the field `depends_on`: the declarations to which the object's declaration refers. An unchanged
 * object is returned without this field.
 */
function withDependencies(object: ReportObject, all: Plan["basis"]["dependencies"]): ReportObject {
  if (object.status === "unchanged") return object;
  const dependsOn = all?.get(withoutKeys(object.address)) ?? [];
  return dependsOn.length === 0 ? object : { ...object, depends_on: [...dependsOn] };
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
