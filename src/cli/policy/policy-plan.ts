import {
  type AttributesOf,
  containerByAttributes,
  isPlanned,
  objectsAfter,
  type Plan,
  type ResourceChange,
  shownImportId,
} from "../../engine";
import { placeOf } from "../printing/own-provider";
import { ruleValues } from "./hidden-values";

/** What rules see of a plan: `PolicyPlan` of the constructs. */
export interface PolicyPlan {
  readonly stack: string | undefined;
  readonly mode: "normal" | "destroy";
  readonly complete: boolean;
  readonly counts: Plan["summary"];
  readonly changes: readonly PlannedChange[];
  readonly objects: readonly PlannedObject[];
  ofType(type: string): readonly PlannedObject[];
}

type Values = Readonly<Record<string, unknown>>;

/** The planned change of one object: `PlannedChange` of the constructs. */
export type PlannedChange = ReturnType<typeof plannedChange>;

/** An object after the apply: `PlannedObject` of the constructs. */
type PlannedObject = ReturnType<typeof plannedObject>;

/** The view of rules on a plan that changes objects. */
export function policyPlan(plan: Plan, stack: string | undefined, attributesOf: AttributesOf): PolicyPlan {
  const { mode, complete, summary, changes } = plan;
  let objects: readonly PlannedObject[] | undefined;
  const all = (): readonly PlannedObject[] => {
    objects ??= Object.freeze(withContainers(plan, objectsAfter(plan, attributesOf)).map(plannedObject));
    return objects;
  };
  return Object.freeze({
    stack,
    mode: mode === "destroy" ? mode : "normal",
    complete,
    counts: Object.freeze({ ...summary }),
    changes: Object.freeze(changes.filter(isPlanned).map(plannedChange)),
    // Most rules look at their change only.
    get objects() {
      return all();
    },
    ofType: (type: string) => all().filter((one) => one.type === type),
  });
}

/** Objects that the plan leaves out, with the paths of their projects and groups as far as other objects tell them. */
export function withContainers(plan: Plan, objects: readonly ResourceChange[]): readonly ResourceChange[] {
  const known = new Map(
    plan.changes.flatMap((change) => {
      const named = containerByAttributes(change);
      return named === undefined || change.container === undefined
        ? []
        : [[`${named.kind} ${named.name}`, change.container] as const];
    }),
  );
  return objects.map((object) => {
    if (object.container !== undefined) return object;
    const named = containerByAttributes(object);
    const container = named && known.get(`${named.kind} ${named.name}`);
    return container === undefined ? object : { ...object, container };
  });
}

/** What changes and objects have in common. */
const facts = (change: ResourceChange) => ({
  type: change.type,
  address: change.address,
  name: change.name,
  ...(change.indexKey !== undefined && { index: change.indexKey }),
  provider: change.provider,
  ...placeOf(change),
  ...(change.construct !== undefined && { construct: change.construct }),
});

function plannedChange(change: ResourceChange) {
  const { address, attributes, previousAddress, deposed, reason, importing } = change;
  const sides = { address, attributes };
  const before =
    change.before && ruleValues({ ...sides, values: change.before, sensitive: change.beforeSensitive });
  const after =
    change.after && ruleValues({ ...sides, values: change.after, sensitive: change.afterSensitive });
  return Object.freeze({
    ...facts(change),
    ...(previousAddress !== undefined && { previousAddress }),
    ...(deposed !== undefined && { deposed }),
    // A replacement is `delete-then-create` or the reverse.
    actions: Object.freeze(change.action.split("-then-")),
    ...(reason !== undefined && { reason }),
    ...(importing !== undefined && { importing: Object.freeze({ id: shownImportId(change) }) }),
    before: (before?.values ?? null) as Values | null,
    after: (after?.values ?? null) as Values | null,
    unknown: Object.freeze([...(after?.unknown ?? [])]),
    sensitive: Object.freeze([...new Set([...(before?.sensitive ?? []), ...(after?.sensitive ?? [])])]),
  });
}

function plannedObject(object: ResourceChange) {
  const { address, attributes, after, afterSensitive: sensitive } = object;
  const { values, ...names } = ruleValues({ address, attributes, values: after!, sensitive });
  return Object.freeze({ ...facts(object), attributes: values, ...names });
}
