import { createProvider } from "../../../../src/provider";

/**
 * This file brings plans, states and live objects into a normal form, so that two engines can be compared. The normal form
 * leaves out parts that differ between two runs: the service's address, times, the order of sets, and masks of known
 * values.
 */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Matches the random id of a `terraform_data` resource. */
const RANDOM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The placeholder for the service's address, in compared values and in the declarations of a case. */
export const SERVICE = "(the service)";

/** A change in `resource_changes`, `resource_drift` and `output_changes` of a plan's JSON. */
export interface Change {
  readonly actions: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
  readonly after_unknown?: unknown;
  readonly before_sensitive?: unknown;
  readonly after_sensitive?: unknown;
  readonly replace_paths?: readonly unknown[];
  readonly importing?: { readonly id?: string };
}

export interface ResourceChange {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly previous_address?: string;
  readonly deposed?: string;
  readonly action_reason?: string;
  readonly change: Change;
}

/** The compared parts of the output of `terraform show -json PLAN`. */
export interface PlanDocument {
  readonly resource_changes?: readonly ResourceChange[];
  readonly resource_drift?: readonly ResourceChange[];
  readonly output_changes?: Readonly<Record<string, Change>>;
  readonly relevant_attributes?: readonly {
    readonly resource: string;
    readonly attribute: readonly unknown[];
  }[];
}

/** The normal form of a plan, with changes by address. Two plans with the same meaning have equal normal forms. */
export interface NormalPlan {
  readonly changes: Readonly<Record<string, NormalChange>>;
  readonly drift: Readonly<Record<string, NormalChange>>;
  readonly outputs: Readonly<Record<string, NormalChange>>;
  /** The `relevant_attributes` of the plan: attributes that may have caused changes, by resource. */
  readonly relevant: Readonly<Record<string, readonly unknown[]>>;
}

type NormalChange = Pick<Change, "actions" | "before" | "after">;

export const normalPlan = (
  { resource_changes = [], resource_drift = [], output_changes = {}, relevant_attributes = [] }: PlanDocument,
  serviceUrl: string,
): NormalPlan => ({
  changes: byAddress(resource_changes, serviceUrl),
  drift: byAddress(resource_drift, serviceUrl),
  outputs: Object.fromEntries(
    Object.entries(output_changes).map(([name, change]) => [name, normalChange(change, serviceUrl)]),
  ),
  relevant: byResource(relevant_attributes),
});

function byResource(attributes: NonNullable<PlanDocument["relevant_attributes"]>): NormalPlan["relevant"] {
  const resources = [...new Set(attributes.map(({ resource }) => resource))];
  const pathsOf = (resource: string) => attributes.filter((one) => one.resource === resource);
  return Object.fromEntries(
    resources.map((resource) => [resource, inAnyOrder(pathsOf(resource).map(({ attribute }) => attribute))]),
  );
}

const byAddress = (changes: readonly ResourceChange[], serviceUrl: string) =>
  Object.fromEntries(
    changes.map(({ address, mode, type, deposed, action_reason, previous_address, change }) => [
      // The key of a deposed object is left out, because it is random.
      deposed === undefined ? address : `${address} (deposed)`,
      {
        ...normalChange(change, serviceUrl, setsOf(mode, type)),
        before: normalObject(type, mode, change.before ?? null, serviceUrl),
        after: normalObject(type, mode, change.after ?? null, serviceUrl),
        action_reason,
        previous_address,
      },
    ]),
  );

const normalChange = (change: Change, serviceUrl: string, sets: ReadonlySet<string> = new Set()) => ({
  actions: change.actions,
  before: normalValue(change.before ?? null, serviceUrl),
  after: normalValue(change.after ?? null, serviceUrl),
  after_unknown: mask(change.after_unknown, sets),
  before_sensitive: mask(change.before_sensitive, sets),
  after_sensitive: mask(change.after_sensitive, sets),
  replace_paths: inAnyOrder(change.replace_paths ?? []),
  ...(change.importing && { importing: change.importing.id }),
});

const { schema } = createProvider();

/** Returns the names of the type's attributes whose values are sets. */
function setsOf(mode: "managed" | "data", type: string): ReadonlySet<string> {
  const attributes = (mode === "managed" ? schema.resources : schema.dataSources)[type]?.attributes ?? {};
  return new Set(
    Object.entries(attributes)
      .filter(([, attribute]) => attribute.type.kind === "set")
      .map(([name]) => name),
  );
}

/**
 * The attributes with numbers that the service assigns to objects, by type. These numbers are left out, because the service
 * assigns them to concurrent creates in any order.
 */
const NUMBERED = { steward_container_protection_rule: "rule_id" } as Readonly<Record<string, string>>;

/** Returns the normal form of an object's attributes. */
export function normalObject(type: string, mode: "managed" | "data", object: unknown, serviceUrl: string) {
  const normal = normalValue(object, serviceUrl, setsOf(mode, type));
  const number = NUMBERED[type];
  if (number === undefined || !isObject(normal)) return normal;
  const { id } = normal;
  return {
    ...normal,
    ...(typeof normal[number] === "number" && { [number]: "(a number)" }),
    ...(typeof id === "string" && { id: id.replace(/:\d+$/, ":(a number)") }),
  };
}

/** Returns the normal form of a value from a plan, a state or the service. */
export function normalValue(
  value: unknown,
  serviceUrl: string,
  sets: ReadonlySet<string> = new Set(),
): unknown {
  if (typeof value === "string") {
    if (RANDOM.test(value)) return "(a random id)";
    return MOMENT.test(value) ? "(a moment)" : value.replaceAll(serviceUrl, SERVICE);
  }
  if (Array.isArray(value)) return value.map((element) => normalValue(element, serviceUrl));
  if (!isObject(value)) return value;
  return fieldsOf(value, (field, name) => {
    const normal = normalValue(field, serviceUrl);
    return sets.has(name) && Array.isArray(normal) ? inAnyOrder(normal) : normal;
  });
}

/** Returns a mask without its false parts; undefined if no part is true. */
function mask(value: unknown, sets: ReadonlySet<string> = new Set()): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => mask(element) ?? null);
    return elements.every((element) => element === null) ? undefined : elements;
  }
  if (!isObject(value)) return value === true ? true : undefined;
  const fields = fieldsOf(value, (field, name) => {
    const normal = mask(field);
    return sets.has(name) && Array.isArray(normal) ? inAnyOrder(normal) : normal;
  });
  return Object.keys(fields).length === 0 ? undefined : fields;
}

/** Returns the live objects in a stable order, without the ids that the service assigns. */
export function normalLive(value: unknown, serviceUrl: string): unknown {
  if (Array.isArray(value)) return inAnyOrder(value.map((element) => normalLive(element, serviceUrl)));
  if (!isObject(value)) return normalValue(value, serviceUrl);
  return fieldsOf(value, (field, name) => (name === "id" ? undefined : normalLive(field, serviceUrl)));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the fields sorted by name, so that equal objects have equal texts. */
const fieldsOf = (
  value: Readonly<Record<string, unknown>>,
  normal: (field: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, normal(value[name], name)] as const)
      .filter(([, field]) => field !== undefined),
  );

const inAnyOrder = (elements: readonly unknown[]): unknown[] =>
  elements
    .map((element) => JSON.stringify(element))
    .sort()
    .map((text) => JSON.parse(text));
