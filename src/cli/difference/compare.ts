import {
  canonicalJson,
  type DriftedObject,
  type Enumeration,
  elementType,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ResourceChange,
  sameValue,
  semanticKey,
  shown,
  UNKNOWN,
  type UnmanagedObject,
  type Value,
  type ValueObject,
} from "../../engine";
import { isPlainText, SENSITIVE } from "../../text";
import { fieldName } from "../terminal/text";
import {
  at,
  attributesOf,
  type ChangedOutside,
  type Difference,
  element,
  type Field,
  isHidden,
  isReplacementCause,
  type Line,
  type Mark,
  NO_CONTEXT,
  type ValueContext,
} from "./difference";
import { keyNames, pairLists, pairSets, whoseElement } from "./pairs";
import {
  hasHidden,
  hiddenPathsOf,
  renderLive,
  renderNamed,
  secretNames,
  unmarkedBlock,
  withoutNulls,
} from "./render";

/** Returns the difference between two values. `undefined` means that a value is absent. */
export function compare(
  before: Value | undefined,
  after: Value | undefined,
  context: ValueContext,
): Difference {
  const mark = markOf(before, after, context);
  const forces = isReplacementCause(context) && { forces: true as const };
  if (isHidden(context)) return { mark, ...forces, kind: "hidden" };
  if (mark === "~" && shapeOf(before, after) !== shapeOf(after, before)) {
    return {
      mark,
      ...forces,
      kind: "swap",
      before: compare(before, undefined, { ...context, replaces: [] }),
      after: compare(undefined, after, { ...context, replaces: [] }),
    };
  }
  switch (mark === "-" ? shapeOf(before, after) : shapeOf(after, before)) {
    case "object": {
      const all = compareFields(before as ValueObject, after as ValueObject, context);
      const fields = all.filter(({ difference }) => difference.mark !== " ");
      const nulls = attributesOf(context) !== undefined && { nulls: true as const };
      return { mark, ...forces, kind: "fields", fields, unchanged: all.length - fields.length, ...nulls };
    }
    case "array":
      return {
        mark,
        ...forces,
        kind: "elements",
        ...compareElements(before as Value[], after as Value[], context),
      };
    case "text":
      return { mark, ...forces, kind: "lines", lines: compareLines(before as string, after as string) };
    default:
      return {
        mark,
        ...forces,
        kind: "leaf",
        ...(before !== undefined && { before: renderNamed(before, context.names) }),
        ...(after !== undefined && { after: renderNamed(after, context.names) }),
      };
  }
}

function markOf(before: Value | undefined, after: Value | undefined, { type }: ValueContext): Mark {
  if (before === undefined) return after === undefined ? " " : "+";
  if (after === undefined) return "-";
  return sameValue(before, after, type) ? " " : "~";
}

/**
 * Returns the form in which two values are compared. Two texts are compared line by line if at least one of them has several
 * lines.
 */
function shapeOf(value: Value | undefined, other: Value | undefined): "object" | "array" | "text" | "leaf" {
  if (value === undefined || isUnknown(value)) return "leaf";
  if (Array.isArray(value)) return "array";
  if (isObject(value)) return "object";
  const texts = [value, other].filter((one) => typeof one === "string");
  const isText = texts[0] === value && texts.every(isPlainText) && texts.some((one) => one.includes("\n"));
  return isText ? "text" : "leaf";
}

/**
 * Compares the fields of two objects by name. If the fields have a schema, null counts as a missing value.
 *
 * @param outside the fields whose live values were changed outside of this configuration
 */
export function compareFields(
  before: ValueObject | undefined,
  after: ValueObject | undefined,
  context: ValueContext,
  outside?: ChangedOutside,
): Field[] {
  const attributes = attributesOf(context);
  const get = (object: ValueObject | undefined, name: string): Value | undefined => {
    const value = object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
    return value === null && attributes !== undefined ? undefined : value;
  };
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((name) => get(before, name) !== undefined || get(after, name) !== undefined)
    .sort()
    .map((name) => ({
      name,
      difference: compare(
        get(before, name),
        get(after, name),
        at(context, name, attributes?.[name], outside?.get(name)),
      ),
    }));
}

function compareElements(
  before: readonly Value[] = [],
  after: readonly Value[] = [],
  context: ValueContext,
): Pick<Extract<Difference, { kind: "elements" }>, "elements" | "unchanged"> {
  const all =
    context.type?.kind === "set" ? compareSets(before, after, context) : compareLists(before, after, context);
  const elements = all.filter(({ mark }) => mark !== " ");
  return { elements, unchanged: all.length - elements.length };
}

function compareSets(before: readonly Value[], after: readonly Value[], context: ValueContext): Difference[] {
  const type = elementType(context.type);
  const keyOf = (value: Value) => semanticKey(value, type);
  const noteOf = whoseElement(context.outside, keyOf);
  return pairSets(before, after, type).map(({ was, now, index }) => {
    const inside = element(context, index, type);
    const difference =
      was !== undefined && now !== undefined ? comparePair(was, now, inside) : compare(was, now, inside);
    const note = noteOf?.(difference.mark, keyOf((was ?? now)!));
    return note === undefined ? difference : { ...difference, notes: [note] };
  });
}

/**
 * Compares two elements with the same key. The result also contains the unchanged key, so that people see which element changed.
 */
function comparePair(before: Value, after: Value, context: ValueContext): Difference {
  const difference = compare(before, after, context);
  const attributes = attributesOf(context);
  if (difference.mark === " " || difference.kind !== "fields" || attributes === undefined) return difference;
  const names = new Set(keyNames(attributes));
  const all = compareFields(before as ValueObject, after as ValueObject, context);
  const fields = all.filter((field) => field.difference.mark !== " " || names.has(field.name));
  return { ...difference, fields, unchanged: all.length - fields.length };
}

/**
 * Returns the difference between two lists. Equal elements at the start and the end are unchanged; the elements between them
 * are compared by position.
 */
function compareLists(
  before: readonly Value[],
  after: readonly Value[],
  context: ValueContext,
): Difference[] {
  const type = elementType(context.type);
  return pairLists(before, after, (one, other) => sameValue(one, other, type)).map(([one, other], index) =>
    compare(one, other, element(context, index, type)),
  );
}

function compareLines(before: string | undefined, after: string | undefined): Line[] {
  const split = (text: string | undefined) => text?.replace(/\n$/, "").split("\n") ?? [];
  return pairLists(split(before), split(after), (one, other) => one === other).flatMap(
    ([one, other]): Line[] => {
      if (one === other) return [{ mark: " ", text: one! }];
      const removed: Line[] = one === undefined ? [] : [{ mark: "-", text: one }];
      const added: Line[] = other === undefined ? [] : [{ mark: "+", text: other }];
      return [...removed, ...added];
    },
  );
}

/**
 * Compares the values before and after a change. Returns one field for each attribute, changed or not.
 *
 * @param outside the attributes whose live values were changed outside of this configuration
 */
export function fieldsOf(change: ResourceChange, outside?: ChangedOutside): Field[] {
  const fields = compareFields(
    shownValues(change, "before") ?? undefined,
    // A forgotten object stays unchanged on the service, so the values before and after are its old values.
    shownValues(change, change.action === "forget" ? "before" : "after") ?? undefined,
    {
      ...NO_CONTEXT,
      type: { kind: "single", nested: change.attributes },
      sensitive: hiddenPathsOf(change),
      replaces: change.replacePaths,
    },
    outside,
  );
  const live = change.replaced?.live;
  if ((outside?.size ?? 0) === 0 && live === undefined) return fields;
  return fields.map((field) => ({ ...field, difference: withNotes(field, change, outside, live) }));
}

/**
 * Returns a difference with notes. A note says that the value was changed outside of this configuration, or gives the live
 * value that a create replaces.
 */
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
  const replaced = mark === "+" && !hasHidden(difference) ? live?.[name] : undefined;
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

/** Returns the entries of a live list that a create removes. Returns an empty list if the new list is not known yet. */
function removedFrom(live: Value, planned: Value | undefined): readonly Value[] {
  if (!Array.isArray(live) || !Array.isArray(planned) || !isWhollyKnown(planned)) return [];
  const kept = new Set(planned.map(canonicalJson));
  return live.filter((one: Value) => !kept.has(canonicalJson(one)));
}

/** Returns the values of an object before or after a change, in the form that plans show. */
export const shownValues = (change: ResourceChange, when: "before" | "after"): ValueObject | null =>
  change[when] && shown(change.attributes, change[when]);

/** Returns one field for each attribute of an undeclared live object. All fields count as added. */
export const fieldsOfUndeclared = ({ live, attributes }: UnmanagedObject): Field[] =>
  compareFields(undefined, live, { ...NO_CONTEXT, type: { kind: "single", nested: attributes } });

/**
 * Compares the applied and the live values of a drifted object. Returns one field for each drifted attribute, and no field for
 * an object that is gone. A field has a remark if the declared value is neither the applied nor the live value. An
 * attribute that is not recorded as declared has a remark too.
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
  const fields = fieldsOf(change);
  const secret = secretNames(fields, hiddenPathsOf(change));
  return fields
    .filter(({ name }) => drifted.has(name))
    .map((field) => {
      const { name, difference } = field;
      const { type, text } = change.attributes[name] ?? {};
      const isThird = name in declared && !sameValue(declared[name]!, change.after?.[name] ?? null, type);
      const value = secret.has(name) ? SENSITIVE : inOneLine(declared[name] ?? null, text?.values);
      const remarks = [
        isThird && `now declared: ${fieldName(name)} = ${value}`,
        notKnownDeclared.includes(name) && `${fieldName(name)} is not recorded as declared`,
      ].filter((remark) => typeof remark === "string");
      return remarks.length === 0 ? field : { name, difference: { ...difference, remarks } };
    });
}

const inOneLine = (value: Value, names: Enumeration | undefined): string =>
  renderNamed(isWhollyKnown(value) ? withoutNulls(value) : UNKNOWN, names);

/** Returns the lines that show a value without a comparison. The first line continues a line that the caller began. */
export function valueLines(value: Value): string[] {
  const [first, ...rows] = unmarkedBlock(compare(undefined, value, NO_CONTEXT));
  return [first, ...rows.map(({ depth, text }) => `${" ".repeat(2 * depth)}${text}`)];
}
