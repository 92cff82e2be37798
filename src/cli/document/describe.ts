import { attributeOf, causeOf, type Diagnostic } from "../../diagnostics";
import {
  type ActionReason,
  type ChangeMetadata,
  type DriftedObject,
  factsOf,
  isShown,
  isWhollyKnown,
  parseAddress,
  type ResourceAddress,
  type ResourceChange,
  titleOf,
  type UnmanagedObject,
} from "../../engine";
import { defined } from "../../json";
import { oneLine, quote } from "../../text";
import { detailOf } from "../arguments/suggested-command";
import {
  type ChangedOutside,
  driftedFields,
  type Field,
  fieldsOf,
  fieldsOfUndeclared,
  hasHidden,
  isDeletedOutside,
  type OutsideValues,
  type Row,
  rowsOf,
  shownValues,
} from "../difference";
import { driftFinding, unmanagedFinding, unmanagedName } from "../findings/finding";
import { driftCommands, manageCommands } from "../findings/manage-commands";
import { isKeptOnService, keyOf, placeOf, strictnessOf } from "../objects/object-facts";
import type { NamedSource } from "../terminal/terminal";
import { fieldName } from "../terminal/text";
import type { ReportAttribute, ReportDiagnostic, ReportObject } from "./model";

/**
 * The report entry of a planned object.
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
  // A plan has thousands of entries, and V8 is slow to add fields to a copy.
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

/** Returns changed and unchanged fields. For an object that is only imported, it returns the imported fields. */
function fieldsToShow(change: ResourceChange, outside: ChangedOutside | undefined): readonly Field[] {
  if (!isShown(change)) return [];
  const isOnlyImported = change.action === "no-op" && change.importing !== undefined;
  return fieldsOf(isOnlyImported ? { ...change, before: null } : change, outside);
}

/** Flags of the document are true, or absent. */
const isTrue = (isSet: boolean | undefined): true | undefined => isSet || undefined;

/** The report entry of a drifted object. */
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
        ...(isPrintable && { declared: declaredValue }),
        ...(notKnownDeclared.includes(attribute.name) && { known_to_be_declared: false as const }),
      };
    }),
  };
}

/** The report entry of a live object that is not declared. Type and id are its address. */
export function describeUnmanaged(object: UnmanagedObject, source?: NamedSource): ReportObject {
  const { type, id, live } = object;
  const identified = {
    address: unmanagedName(object),
    type,
    after: live,
    attributes: object.attributes,
    ...(object.place && { container: object.place }),
    beforeSensitive: [],
    afterSensitive: [],
  };
  return {
    ...describeObject(identified, "unmanaged", fieldsOfUndeclared(object)),
    id,
    container: object.container,
    ...defined({
      undeclared: object.undeclared && [...object.undeclared],
      is_declared: isTrue(object.isDeclared),
      is_container: isTrue(object.isContainer),
      undeclarable: object.undeclarable,
      unlisted: object.unlisted,
    }),
    commands: manageCommands(object, source),
    fingerprint: unmanagedFinding(object).fingerprint(),
  };
}

/** Any object. `before` and `after` are absent if they are not part of the report, and null if the object does not exist. */
type Described = Omit<ChangeMetadata, "mode" | "name" | "provider" | "replacePaths"> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/** The report entry of any object, with the fields that were compared. */
export function describeObject(
  change: Described,
  status: ReportObject["status"],
  fields: readonly Field[] = [],
  outside?: ChangedOutside,
): ReportObject {
  const same = fields.filter(({ difference }) => difference.mark === " ");
  const identity = same.filter(({ name }) => IDENTIFYING.has(name));
  const different = fields.filter(({ difference }) => difference.mark !== " ");
  const { address, type, construct } = change;
  return {
    address,
    type,
    ...placeOf(change),
    ...defined({ name: keyOf(change), construct }),
    status,
    attributes: different.map((field) => describeAttribute(field, change, outside?.get(field.name))),
    ...(same.length > 0 && { unchanged: { identity, others: same.length - identity.length } }),
    diagnostics: [],
  };
}

/** Attributes that are shown even without a change, because they identify the object. */
const IDENTIFYING = new Set(["id", "name"]);

/** The text of a diagnostic, for all formats. */
export function describeDiagnostic(diagnostic: Diagnostic, source?: NamedSource): ReportDiagnostic {
  const { severity, code, summary, address, construct, position, rule } = diagnostic;
  const texts = { severity, code, summary, detail: detailOf(diagnostic, source) };
  const attribute = attributeOf(diagnostic);
  return defined({ ...texts, attribute, address, construct, position, rule, cause: causeOf(diagnostic) });
}

function describeAttribute(
  { name, difference }: Field,
  { before, after, replaced, attributes }: Described,
  outside: OutsideValues | undefined,
): ReportAttribute {
  // Any part of the value can be secret, so the whole value is left out when the view hides a part.
  if (hasHidden(difference))
    return { name, sensitive: true, difference, ...(outside && { changed_outside: {} }) };
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
    ...(before !== null && before !== undefined && { before: before[name] ?? null }),
    ...(isWhollyKnown(next) ? after !== null && after !== undefined && { after: next } : { unknown: true }),
    ...(live !== undefined && { live }),
    ...nameOf("before"),
    ...nameOf("after"),
    difference,
    ...(outside && { changed_outside: outside }),
  };
}

type Shown = Pick<ReportObject, "attributes" | "action">;

const ROWS = new WeakMap<readonly ReportAttribute[], readonly Row[]>();

/** Returns the lines of the differences, as a plan shows them. Imported values have no marks. */
export function rowsIn({ attributes, action }: Shown): readonly Row[] {
  const known = ROWS.get(attributes);
  if (known !== undefined) return known;
  const rows = rowsOf(attributes, { isUnmarked: action === "import" });
  ROWS.set(attributes, rows);
  return rows;
}

/** Returns the differences as text. */
export const diffOf = (object: Shown): string => rowsIn(object).map(lineOf).join("\n");

/** A line without the indentation that a plan has around objects. */
export const lineOf = ({ depth, mark, text }: Row): string => `${" ".repeat(4 * depth)}${mark} ${text}`;

type Reasoned = ReportObject & Partial<Pick<ResourceAddress, "name" | "indexKey">>;

/** The reasons in words, for all formats. If an attribute forces a replacement, the reason is shown next to this attribute. */
const REASONS: Readonly<Partial<Record<ActionReason, (object: Reasoned) => string>>> = {
  replace_because_tainted: () => "tainted",
  replace_by_request: () => "as requested",
  replace_by_triggers: () => "due to changes in replace_triggered_by",
  delete_because_no_resource_config: ({ type, name = "" }) =>
    `because ${fieldName(type)}.${fieldName(name)} is not in configuration`,
  delete_because_wrong_repetition: ({ indexKey }) =>
    indexKey === undefined
      ? "because resource uses count or for_each"
      : `because resource does not use ${typeof indexKey === "number" ? "count" : "for_each"}`,
  delete_because_count_index: ({ indexKey }) => `because index [${indexKey}] is out of range for count`,
  delete_because_no_move_target: ({ address, previous_address: before = "" }) =>
    `because ${oneLine(before)} was moved to ${oneLine(address)}, which is not in configuration`,
  delete_because_each_key: ({ indexKey }) =>
    `because key [${quote(String(indexKey))}] is not in for_each map`,
  read_because_config_unknown: () => "config refers to values not yet known",
  read_because_dependency_pending: () => "depends on a resource with changes pending",
  read_because_check_nested: () => "config will be reloaded to verify a check block",
};

/**
 * Returns the reason why a plan replaces, destroys, forgets or reads these objects, in words. It is undefined if
 * they don't share a reason, or if attributes contain it.
 */
export function reasonText(objects: readonly ReportObject[]): string | undefined {
  const [why, ...others] = new Set(objects.map(reasonOf));
  return others.length === 0 ? why : undefined;
}

function reasonOf(object: ReportObject): string | undefined {
  const { action, address, deposed, reason, same_as: sameAs } = object;
  if (deposed !== undefined || (action === "create" && reason === "replace_by_triggers")) return undefined;
  if (action === "forget" && sameAs === undefined)
    return reason === "delete_because_each_key"
      ? "its project has left the fleet, or a layer drops it"
      : "destroy = false is set in the configuration";
  const named = (parseAddress(address) ?? {}) as Partial<ResourceAddress>;
  return reason && REASONS[reason as ActionReason]?.({ ...object, ...named } as Reasoned);
}
