import {
  hiddenPaths,
  type ResourceChange,
  shown,
  type UnmanagedObject,
  type ValueObject,
} from "../../engine";
import { compareFields } from "./compare";
import type { Field } from "./difference";

/** The compared attributes of a change. */
export const fieldsOf = (change: ResourceChange): Field[] =>
  // A forgotten object stays as it is.
  compareFields(
    shownValues(change, "before") ?? undefined,
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
  );

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
