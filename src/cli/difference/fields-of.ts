import {
  canonicalJson,
  type DriftedObject,
  type Enumeration,
  hiddenPaths,
  isUnknown,
  isWhollyKnown,
  type Plan,
  type ResourceChange,
  sameValue,
  shown,
  UNKNOWN,
  type UnmanagedObject,
  type Value,
  type ValueObject,
} from "../../engine";
import { SENSITIVE } from "../../text";
import { fieldName } from "../terminal/text";
import { compare, compareFields } from "./compare";
import { type ChangedOutside, type Difference, type Field, NO_CONTEXT } from "./difference";
import { renderLive, renderNamed, unmarkedBlock, withoutNulls } from "./render";

/**
 * Returns the compared attributes of a change.
 *
 * @param outside the attributes that changed outside of this configuration
 */
export function fieldsOf(change: ResourceChange, outside?: ChangedOutside): Field[] {
  const fields = compareFields(
    shownValues(change, "before") ?? undefined,
    // A forgotten object does not change.
    shownValues(change, change.action === "forget" ? "before" : "after") ?? undefined,
    {
      ...NO_CONTEXT,
      type: { kind: "single", nested: change.attributes },
      sensitive: [
        ...hiddenPaths(change.before, change.beforeSensitive),
        ...hiddenPaths(change.after, change.afterSensitive),
      ],
      replaces: change.replacePaths,
    },
    outside,
  );
  const live = change.replaced?.live;
  if ((outside?.size ?? 0) === 0 && live === undefined) return fields;
  return fields.map((field) => ({ ...field, difference: withNotes(field, change, outside, live) }));
}

/** Adds facts about the value to a difference: a change outside, or the live value that it replaces. */
function withNotes(
  { name, difference }: Field,
  { attributes, after }: ResourceChange,
  outside: ChangedOutside | undefined,
  live: ValueObject | undefined,
): Difference {
  const { mark, kind } = difference;
  const names = attributes[name]?.text.values;
  const text = (value: Value) => renderNamed(value, names);
  const values = mark === " " ? undefined : outside?.get(name);
  const replaced = mark === "+" && kind !== "hidden" ? live?.[name] : undefined;
  const removed = replaced === undefined ? [] : removedFrom(replaced, after?.[name]);
  const outsideNote =
    kind === "leaf" && values && `: applied ${text(values.applied)}, live ${text(values.live)}`;
  const notes = [
    values && `changed outside${outsideNote || ""}`,
    replaced !== undefined && `live: ${renderLive(replaced, kind === "leaf" ? names : undefined)}`,
    removed.length > 0 && `removes ${removed.map((one) => renderLive(one, undefined)).join(", ")}`,
  ].filter((note) => typeof note === "string");
  return notes.length === 0 ? difference : { ...difference, notes };
}

/** Returns the entries of a live list that a create removes; none while the new list is unknown. */
function removedFrom(live: Value, planned: Value | undefined): readonly Value[] {
  if (!Array.isArray(live) || !Array.isArray(planned) || !isWhollyKnown(planned)) return [];
  const kept = new Set(planned.map(canonicalJson));
  return live.filter((one: Value) => !kept.has(canonicalJson(one)));
}

/** The values of a change as people see them. */
export const shownValues = (change: ResourceChange, when: "before" | "after"): ValueObject | null =>
  change[when] && shown(change.attributes, change[when]);

/** The attributes of a live object that is not declared. */
export const fieldsOfUndeclared = ({ live, attributes }: UnmanagedObject): Field[] =>
  compareFields(undefined, live, { ...NO_CONTEXT, type: { kind: "single", nested: attributes } });

/**
 * Returns the attributes of a drifted object, compared from applied to live; none for a vanished object. Remarks
 * show declared values that differ from both, and attributes that may not be declared.
 */
export function driftedFields({
  kind,
  change,
  attributes,
  declared,
  notKnownDeclared = [],
}: DriftedObject): Field[] {
  if (kind === "vanished") return [];
  const drifted = new Set(attributes);
  return fieldsOf(change)
    .filter(({ name }) => drifted.has(name))
    .map((field) => {
      const { name, difference } = field;
      const { type, text } = change.attributes[name] ?? {};
      const isThird = name in declared && !sameValue(declared[name]!, change.after?.[name] ?? null, type);
      const value =
        difference.kind === "hidden" ? SENSITIVE : inOneLine(declared[name] ?? null, text?.values);
      const remarks = [
        isThird && `now declared: ${fieldName(name)} = ${value}`,
        notKnownDeclared.includes(name) && `${fieldName(name)} is not recorded as declared`,
      ].filter((remark) => typeof remark === "string");
      return remarks.length === 0 ? field : { name, difference: { ...difference, remarks } };
    });
}

const inOneLine = (value: Value, names: Enumeration | undefined): string =>
  renderNamed(isWhollyKnown(value) ? withoutNulls(value) : UNKNOWN, names);

const NONE: ChangedOutside = new Map();

/** The changes outside of an object that was deleted outside, and that the plan creates again. */
const DELETED: ChangedOutside = new Map();

export const isDeletedOutside = (outside: ChangedOutside | undefined): boolean => outside === DELETED;

/** Returns the changes outside since the last apply, for each change of a plan. */
export function changedOutside({
  mode,
  drift,
}: Pick<Plan, "mode" | "drift">): (change: ResourceChange) => ChangedOutside {
  const found = new Map<string, ChangedOutside>();
  const deleted = new Set<string>();
  // A refresh-only plan consists of such changes, and a destroy removes all values.
  for (const { address, before, after, attributes } of mode === "normal" ? drift : []) {
    if (before !== null && after === null) deleted.add(address);
    if (before === null || after === null) continue;
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const differing = names
      .map((name) => [name, { applied: before[name] ?? null, live: after[name] ?? null }] as const)
      .filter(([name, { applied, live }]) => !sameValue(applied, live, attributes[name]?.type));
    if (differing.length > 0) found.set(address, new Map(differing));
  }
  return ({ address, action, deposed }) => {
    if (deposed !== undefined) return NONE;
    return action === "create" && deleted.has(address) ? DELETED : (found.get(address) ?? NONE);
  };
}

/** Whether the declaration equals the applied values, and only the live object differs. */
export function isOnlyRevert(
  { action, after, attributes, importing, previousAddress }: ResourceChange,
  drift?: ResourceChange,
): boolean {
  if (drift?.before == null || after === null || importing !== undefined || previousAddress !== undefined)
    return false;
  if (action !== "update" && action !== "create") return false;
  return Object.entries(after).every(
    ([name, value]) =>
      isUnknown(value) || sameValue(value, drift.before![name] ?? null, attributes[name]?.type),
  );
}

/** Returns a function that decides whether a change of a plan only reverts a manual change. */
export function onlyReverts({
  mode,
  drift,
}: Pick<Plan, "mode" | "drift">): (change: ResourceChange) => boolean {
  const drifted = new Map((mode === "normal" ? drift : []).map((change) => [change.address, change]));
  return (change) => change.deposed === undefined && isOnlyRevert(change, drifted.get(change.address));
}

/** Returns the lines of a value that is shown and not compared. The first line continues a line that already has text. */
export function valueLines(value: Value): string[] {
  const [first, ...rows] = unmarkedBlock(compare(undefined, value, NO_CONTEXT));
  return [first, ...rows.map(({ depth, text }) => `${" ".repeat(2 * depth)}${text}`)];
}
