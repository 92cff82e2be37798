import { causeOf, type Diagnostic, formatPath } from "../../diagnostics";
import {
  type ChangeMetadata,
  type DriftedObject,
  isShown,
  isWhollyKnown,
  type ResourceChange,
  shownImportId,
  titleOf,
  type UnmanagedObject,
} from "../../engine";
import {
  type ChangedOutside,
  driftedFields,
  type Field,
  fieldsOf,
  fieldsOfUndeclared,
  hides,
  isDeletedOutside,
  type Row,
  rowsOf,
  shownValues,
} from "../difference";
import { fingerprintOf, unmanagedName } from "../drift/finding";
import { driftCommands, manageCommands } from "../drift/manage-commands";
import { detailOf } from "../printing/action";
import { isShown, keyOf, placeOf, staysOnService, strictnessOf } from "../printing/own-provider";
import type { ReportAttribute, ReportDiagnostic, ReportObject } from "./model";

/** The action for the report. An object that does not change can still be imported or moved. */
export function actionOf({
  action,
  importing,
  previousAddress,
}: ResourceChange): NonNullable<ReportObject["action"]> {
  if (action === "delete-then-create" || action === "create-then-delete") return "replace";
  if (action !== "no-op") return action;
  if (importing !== undefined) return "import";
  return previousAddress === undefined ? "no-op" : "move";
}

/** The report entry of a planned object. */
export function describeChange(change: ResourceChange, outside?: ChangedOutside): ReportObject {
  const { deposed, sameAs, takesOver } = change;
  const status = isShown(change) ? "planned" : "unchanged";
  const shownChange = {
    ...change,
    before: shownValues(change, "before"),
    after: shownValues(change, "after"),
  };
  return {
    ...describeObject(shownChange, status, fieldsToShow(change, outside), outside),
    ...(deposed !== undefined && { deposed }),
    action: actionOf(change),
    ...(change.action === "create-then-delete" && { create_first: true as const }),
    ...(sameAs !== undefined && { same_as: sameAs }),
    ...(takesOver !== undefined && { takes_over: takesOver }),
    ...(change.importing !== undefined && { import_id: shownImportId(change) }),
    ...(change.previousAddress !== undefined && { previous_address: change.previousAddress }),
    ...(change.reason !== undefined && { reason: change.reason }),
    ...strictnessIn(change),
    ...(staysOnService(change) && { stays_on_service: true as const }),
    ...(isDeletedOutside(outside) && { deleted_outside: true as const }),
    ...(change.replaced?.why !== undefined && { live_not_known: change.replaced.why }),
  };
}

/** What differs and what stays; of an object that is only imported, what the state takes over. */
function fieldsToShow(change: ResourceChange, outside: ChangedOutside | undefined): readonly Field[] {
  if (!isShown(change)) return [];
  const isOnlyImported = change.action === "no-op" && change.importing !== undefined;
  return fieldsOf(isOnlyImported ? { ...change, before: null } : change, outside);
}

function strictnessIn(change: ResourceChange): Pick<ReportObject, "strictness"> {
  const strictness = strictnessOf(change);
  return strictness === undefined ? {} : { strictness };
}

/** The report entry of a drifted object. */
export function describeDrifted(drifted: DriftedObject, stack: string | undefined): ReportObject {
  const { kind, change, declared, notKnownDeclared = [] } = drifted;
  const object = describeObject(change, kind, driftedFields(drifted));
  return {
    ...object,
    ...strictnessIn({ ...change, action: kind === "vanished" ? "delete" : "update" }),
    commands: driftCommands(object, kind, stack),
    fingerprint: fingerprintOf({ kind, stack, drifted }),
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
export function describeUnmanaged(object: UnmanagedObject): ReportObject {
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
    ...(object.undeclared && { undeclared: [...object.undeclared] }),
    ...(object.isDeclared && { is_declared: true as const }),
    ...(object.isContainer && { is_container: true as const }),
    ...(object.undeclarable !== undefined && { undeclarable: object.undeclarable }),
    commands: manageCommands(object),
    fingerprint: fingerprintOf({ kind: "unmanaged", object }),
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
  const key = keyOf(change);
  return {
    address: change.address,
    type: change.type,
    ...placeOf(change),
    ...(key !== undefined && { name: key }),
    ...(change.construct !== undefined && { construct: change.construct }),
    status,
    attributes: different.map((field) => withOutside(describeAttribute(field, change), outside)),
    ...(same.length > 0 && { unchanged: { identity, others: same.length - identity.length } }),
    diagnostics: [],
  };
}

/** Attributes that are shown where they stay, because they identify the object. */
const IDENTIFYING = new Set(["id", "name"]);

/** The text of a diagnostic, for all formats. */
export function describeDiagnostic(diagnostic: Diagnostic): ReportDiagnostic {
  const { severity, code, summary, attribute, address, construct, rule } = diagnostic;
  const cause = causeOf(diagnostic);
  return {
    severity,
    code,
    summary,
    detail: detailOf(diagnostic),
    ...(attribute !== undefined && { attribute: formatPath(attribute) }),
    ...(address !== undefined && { address }),
    ...(construct !== undefined && { construct }),
    ...(rule !== undefined && { rule }),
    ...(cause !== undefined && { cause }),
  };
}

function describeAttribute(
  { name, difference }: Field,
  { before, after, replaced, attributes }: Described,
): ReportAttribute {
  // A part of the value can be secret, so the whole value is left out when the view hides any part of it.
  if (hides(difference)) return { name, sensitive: true, difference };
  const next = after?.[name] ?? null;
  const live = replaced?.live?.[name];
  const names = difference.kind === "leaf" ? attributes[name]?.text.values : undefined;
  const nameOf = (when: "before" | "after"): { before_name?: string; after_name?: string } => {
    const title = difference.kind === "leaf" && difference[when] !== undefined && names !== undefined;
    const found = title ? titleOf(names, { before, after }[when]?.[name]) : undefined;
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
  };
}

/** Adds the values of an attribute that was changed outside. */
function withOutside(attribute: ReportAttribute, outside: ChangedOutside | undefined): ReportAttribute {
  const values = outside?.get(attribute.name);
  if (values === undefined) return attribute;
  return { ...attribute, changed_outside: attribute.sensitive ? {} : values };
}

type Shown = Pick<ReportObject, "attributes" | "action">;

const ROWS = new WeakMap<readonly ReportAttribute[], readonly Row[]>();

/** The lines of what differs, as a plan shows it. What an import takes over has no marks. */
export function rowsIn({ attributes, action }: Shown): readonly Row[] {
  const known = ROWS.get(attributes);
  if (known !== undefined) return known;
  const rows = rowsOf(attributes, { isUnmarked: action === "import" });
  ROWS.set(attributes, rows);
  return rows;
}

/** The same as text. */
export const diffOf = (object: Shown): string => rowsIn(object).map(lineOf).join("\n");

/** A line without the indentation that a plan has around objects. */
export const lineOf = ({ depth, mark, text }: Row): string => `${" ".repeat(4 * depth)}${mark} ${text}`;
