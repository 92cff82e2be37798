import type { AttributePath } from "../../../../src/diagnostics";
import type { OutputChange, ResourceChange as Planned, PlanView } from "../../../../src/engine";
import { isObject, isUnknown, type Value } from "../../../../src/provider/schema";
import type { Change, PlanDocument, ResourceChange } from "./normal-form";

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  "delete-then-create": ["delete", "create"],
  "create-then-delete": ["create", "delete"],
};

/** A plan of the embedded engine in the words of `terraform show -json`. */
export const planDocument = ({ changes, drift, outputs }: PlanView): PlanDocument => ({
  // What is read while planning is no change.
  resource_changes: changes
    .filter(({ mode, action }) => mode === "managed" || action !== "no-op")
    .map(resource),
  resource_drift: drift.map(resource),
  output_changes: Object.fromEntries(outputs.map((change) => [change.name, output(change)])),
});

function resource(change: Planned): ResourceChange {
  const { address, mode, type, action, reason, before, after, replacePaths } = change;
  return {
    address,
    mode,
    type,
    ...(reason && { action_reason: reason }),
    change: {
      actions: ACTIONS[action] ?? [action],
      before: known(before),
      after: known(after),
      after_unknown: unknowns(after),
      before_sensitive: before === null ? false : masked(change.beforeSensitive),
      after_sensitive: after === null ? false : masked(change.afterSensitive),
      replace_paths: replacePaths,
    },
  };
}

const output = ({ action, before, after, sensitive }: OutputChange): Change => ({
  actions: [action],
  before: known(before),
  after: known(after),
  after_unknown: unknowns(after),
  before_sensitive: sensitive,
  after_sensitive: sensitive,
});

function known(value: Value): unknown {
  if (Array.isArray(value))
    return value.map((element: Value) => (isUnknown(element) ? null : known(element)));
  if (!isObject(value)) return isUnknown(value) ? undefined : value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, known(field)])
      .filter(([, field]) => field !== undefined),
  );
}

function unknowns(value: Value): unknown {
  if (isUnknown(value)) return true;
  if (Array.isArray(value)) return value.map(unknowns);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unknowns(field)]))
    : false;
}

function masked(paths: readonly AttributePath[]): unknown {
  const mask: Record<string, unknown> = {};
  for (const path of paths) {
    let place: Record<string, unknown> = mask;
    for (const step of path.slice(0, -1)) {
      place[step] ??= {};
      place = place[step] as Record<string, unknown>;
    }
    place[path.at(-1)!] = true;
  }
  return mask;
}
