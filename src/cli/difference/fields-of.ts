import {
  hiddenPaths,
  type ResourceChange,
  shown,
  type UnmanagedObject,
  type Value,
  type ValueObject,
} from "../../engine";
import { compareFields } from "./compare";
import type { Difference, Field } from "./difference";
import type { ChangedOutside } from "./value-context";
import { renderLive, renderNamed } from "./value-text";

/**
 * The compared attributes of a change.
 *
 * @param outside those that were changed outside of this configuration
 */
export function fieldsOf(change: ResourceChange, outside?: ChangedOutside): Field[] {
  const fields = compareFields(
    shownValues(change, "before") ?? undefined,
    // A forgotten object stays as it is.
    shownValues(change, change.action === "forget" ? "before" : "after") ?? undefined,
    {
      path: [],
      type: { kind: "single", nested: change.attributes },
      secret: false,
      sensitive: [
        ...hiddenPaths(change.before, change.beforeSensitive),
        ...hiddenPaths(change.after, change.afterSensitive),
      ],
      replaces: change.replacePaths,
    },
    outside,
  );
  const live = change.replaced?.live;
  if (outside === undefined && live === undefined) return fields;
  return fields.map((field) => ({ ...field, difference: withNotes(field, change, outside, live) }));
}

/** A difference with what else is known of the value: that it was changed outside, or the live value that it replaces. */
function withNotes(
  { name, difference }: Field,
  { attributes }: ResourceChange,
  outside: ChangedOutside | undefined,
  live: ValueObject | undefined,
): Difference {
  const { mark, kind } = difference;
  const names = attributes[name]?.text.values;
  const text = (value: Value) => renderNamed(value, names);
  const values = mark === " " ? undefined : outside?.get(name);
  const replaced = mark === "+" && kind !== "hidden" ? live?.[name] : undefined;
  const notes = [
    ...(values === undefined
      ? []
      : [
          kind === "leaf"
            ? `changed outside: applied ${text(values.applied)}, live ${text(values.live)}`
            : "changed outside",
        ]),
    ...(replaced === undefined ? [] : [`live: ${renderLive(replaced, kind === "leaf" ? names : undefined)}`]),
  ];
  return notes.length === 0 ? difference : { ...difference, notes };
}

/** The values of a change as people see them. */
export const shownValues = (change: ResourceChange, when: "before" | "after"): ValueObject | null =>
  change[when] && shown(change.attributes, change[when]);

/** The attributes of a live object that is not declared. */
export const fieldsOfUndeclared = ({ live, attributes }: UnmanagedObject): Field[] =>
  compareFields(undefined, live, {
    path: [],
    type: { kind: "single", nested: attributes },
    secret: false,
    sensitive: [],
    replaces: [],
  });
