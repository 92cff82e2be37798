import { type Diagnostic, formatPath } from "../../diagnostics";
import {
  type Action,
  type DriftedObject,
  isWhollyKnown,
  type ResourceChange,
  type UnmanagedObject,
} from "../../engine";
import { type Field, fieldsOf, fieldsOfUndeclared, renderFields, shownValues } from "../difference";
import { fingerprintOf, unmanagedName } from "../drift/finding";
import { PLAIN } from "../printing/style";
import { detailOf } from "../views/action";
import { declaredLines, driftedFields } from "../views/drifted-fields";
import { isTold } from "../views/resource-change";
import type { ReportAttribute, ReportDiagnostic, ReportObject } from "./model";

const ACTIONS: Readonly<Record<Action, NonNullable<ReportObject["action"]>>> = {
  "no-op": "no-op",
  create: "create",
  read: "read",
  update: "update",
  delete: "delete",
  "delete-then-create": "replace",
  "create-then-delete": "replace",
  forget: "forget",
};

/** An object that itself stays as it is may be taken into the state, or to another place in it. */
function actionOf({
  action,
  importing,
  previousAddress,
}: ResourceChange): NonNullable<ReportObject["action"]> {
  if (action !== "no-op") return ACTIONS[action];
  if (importing !== undefined) return "import";
  return previousAddress === undefined ? "no-op" : "move";
}

/** What a report says of an object of a plan. */
export function describeChange(change: ResourceChange): ReportObject {
  const status = isTold(change) ? "planned" : "unchanged";
  const told = { ...change, before: shownValues(change, "before"), after: shownValues(change, "after") };
  return {
    ...describeObject(told, status, change.action === "no-op" ? [] : fieldsOf(change)),
    action: actionOf(change),
    ...(change.previousAddress !== undefined && { previous_address: change.previousAddress }),
    ...(change.reason !== undefined && { reason: change.reason }),
  };
}

/** What a report says of an object that differs from what was applied. */
export function describeDrifted(drifted: DriftedObject, stack: string | undefined): ReportObject {
  const { kind, change, declared, notKnownDeclared = [] } = drifted;
  const fields = driftedFields(drifted);
  const object = describeObject(change, kind, fields);
  const lines = declaredLines(drifted, fields, PLAIN).map(fromTheMargin);
  return {
    ...object,
    fingerprint: fingerprintOf({ kind, stack, drifted }),
    attributes: object.attributes.map((attribute) => {
      const said = declared[attribute.name];
      const isShown = said !== undefined && !attribute.sensitive && isWhollyKnown(said);
      return {
        ...attribute,
        ...(isShown && { declared: said }),
        ...(notKnownDeclared.includes(attribute.name) && { known_to_be_declared: false as const }),
      };
    }),
    diff: [object.diff, ...lines].filter((part) => part !== "").join("\n"),
  };
}

/** What a report says of something live that nobody declares; its address is its type and its id. */
export function describeUnmanaged(object: UnmanagedObject): ReportObject {
  const { type, id, live } = object;
  const named = { address: unmanagedName(object), type, after: live };
  return {
    ...describeObject(named, "unmanaged", fieldsOfUndeclared(object)),
    id,
    fingerprint: fingerprintOf({ kind: "unmanaged", object }),
  };
}

/** The values of an object, before and after; null where there is no object. */
type Values = Partial<Pick<ResourceChange, "before" | "after">>;

/** What a report says of any object, with the fields that it was compared by. */
export function describeObject(
  change: Pick<ResourceChange, "address" | "type" | "construct"> & Values,
  status: ReportObject["status"],
  fields: readonly Field[] = [],
): ReportObject {
  const different = fields.filter(({ difference }) => difference.mark !== " ");
  const lines = renderFields(different, { depth: 0, style: PLAIN, closesWithNull: true });
  return {
    address: change.address,
    type: change.type,
    ...(change.construct !== undefined && { construct: change.construct }),
    status,
    attributes: different.map((field) => describeAttribute(field, change)),
    diff: lines.map(fromTheMargin).join("\n"),
    diagnostics: [],
  };
}

/** The text of a diagnostic, for every format. */
export function describeDiagnostic(diagnostic: Diagnostic): ReportDiagnostic {
  const { severity, code, summary, attribute, address, construct } = diagnostic;
  return {
    severity,
    code,
    summary,
    detail: detailOf(diagnostic),
    ...(attribute !== undefined && { attribute: formatPath(attribute) }),
    ...(address !== undefined && { address }),
    ...(construct !== undefined && { construct }),
  };
}

function describeAttribute({ name, difference }: Field, { before, after }: Values): ReportAttribute {
  // A secret may stand anywhere inside: what the view hides a part of is not given as a value at all.
  if (hides(difference)) return { name, sensitive: true };
  const next = after?.[name] ?? null;
  return {
    name,
    sensitive: false,
    ...(before !== null && before !== undefined && { before: before[name] ?? null }),
    ...(isWhollyKnown(next) ? after !== null && after !== undefined && { after: next } : { unknown: true }),
  };
}

function hides(difference: Field["difference"]): boolean {
  switch (difference.kind) {
    case "hidden":
      return true;
    case "fields":
      return difference.fields.some((field) => hides(field.difference));
    case "elements":
      return difference.elements.some(hides);
    case "swap":
      return hides(difference.before) || hides(difference.after);
    default:
      return false;
  }
}

/** Views set an object's attributes in by six columns. */
const fromTheMargin = (block: string): string => block.replace(/^ {6}/gm, "");
