import { type AttributePath, formatPath, nearest } from "../../diagnostics";
import {
  type Attributes,
  type AttributesOf,
  type AttributeType,
  containerByAttributes,
  factsOf,
  hiddenPaths,
  isObject,
  isPlanned,
  isUnknown,
  isWhollyKnown,
  objectsAfter,
  type Plan,
  type ResourceChange,
  shown,
  type Value,
  type ValueObject,
} from "../../engine";
import { defined } from "../../json";
import { placeOf } from "../objects/object-facts";

/** A plan as rules can read it: `PolicyPlan` of the constructs. */
export type PolicyPlan = ReturnType<typeof policyPlan>;

type Values = Readonly<Record<string, unknown>>;

/** The planned change of one object: `PlannedChange` of the constructs. */
export type PlannedChange = ReturnType<typeof plannedChange>;

/** An object after the apply: `PlannedObject` of the constructs. */
type PlannedObject = ReturnType<typeof plannedObject>;

/** The view of rules on a plan that changes objects. */
export function policyPlan(plan: Plan, stack: string | undefined, attributesOf: AttributesOf) {
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
    // Most rules look only at their change and do not read the other objects.
    get objects() {
      return all();
    },
    ofType: (type: string) => all().filter((one) => one.type === type),
  });
}

/**
 * Returns objects that the plan leaves out. Adds the paths of their projects and groups if other objects of the plan contain
 * these paths.
 */
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

/** The fields that changes and objects share. */
const facts = (change: ResourceChange) => {
  const { type, address, name, indexKey: index, provider, construct } = change;
  return defined({ type, address, name, index, provider, ...placeOf(change), construct });
};

function plannedChange(change: ResourceChange) {
  const { previous_address: previousAddress, deposed, reason, import_id: id } = factsOf(change);
  const before = change.before && ruleValues(change, change.before, change.beforeSensitive);
  const after = change.after && ruleValues(change, change.after, change.afterSensitive);
  return Object.freeze({
    ...facts(change),
    // A replacement is `delete-then-create` or the reverse.
    ...defined({ previousAddress, deposed, actions: Object.freeze(change.action.split("-then-")), reason }),
    ...(id !== undefined && { importing: Object.freeze({ id }) }),
    before: before?.values ?? null,
    after: after?.values ?? null,
    unknown: Object.freeze([...(after?.unknown ?? [])]),
    sensitive: Object.freeze([...new Set([...(before?.sensitive ?? []), ...(after?.sensitive ?? [])])]),
  });
}

function plannedObject(object: ResourceChange) {
  const { values, ...names } = ruleValues(object, object.after!, object.afterSensitive);
  return Object.freeze({ ...facts(object), attributes: values, ...names });
}

/** Thrown when a rule reads a hidden value, so that the rule can't mistake it for null or for another value. */
export class HiddenValue extends Error {
  override readonly name = "HiddenValue";

  constructor(address: string, path: AttributePath, reason: "unknown" | "sensitive") {
    super(
      `${formatPath(path)} of ${address} is ${reason === "unknown" ? "known only after apply" : "sensitive"}`,
    );
  }
}

/**
 * The values of an object as JSON, and the names of the attributes that rules don't have, as a whole or in part. Reading an
 * unknown or sensitive one throws {@link HiddenValue}.
 */
function ruleValues(
  { address, attributes }: ResourceChange,
  values: ValueObject,
  sensitive: readonly AttributePath[],
) {
  const paths = [...hiddenPaths(values, sensitive), ...sensitiveOf(attributes)].map(withoutIndexes);
  const hidden = new Set(paths.map((path) => JSON.stringify(path)));
  const isSensitive = (path: AttributePath) => hidden.has("[]") || hidden.has(JSON.stringify(path));

  const put = (target: object, key: string | number, value: Value, path: AttributePath): void => {
    const reason = reasonToHide(isSensitive(path), value);
    Object.defineProperty(target, key, {
      enumerable: true,
      ...(reason === undefined
        ? { value: copy(value, path) }
        : {
            get: () => {
              throw new HiddenValue(address, path, reason);
            },
          }),
    });
  };
  const copy = (value: Value, path: AttributePath): unknown => {
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      // The elements of a list have the sensitivity of the list.
      for (const [at, element] of value.entries()) put(list, at, element, path);
      return Object.freeze(list);
    }
    if (!isObject(value)) return typeof value === "object" && value !== null ? Number(String(value)) : value;
    const object = {};
    for (const name of Object.keys(value).sort()) put(object, name, value[name]!, [...path, name]);
    return Object.freeze(object);
  };
  const plain = shown(attributes, values);
  const names = Object.keys(plain).sort();
  return {
    values: withoutTypos(copy(plain, []) as Values, attributes, address),
    unknown: names.filter((name) => !isWhollyKnown(plain[name]!)),
    sensitive: names.filter((name) => paths.some(([first = name]) => first === name)),
  };
}

function reasonToHide(isSensitive: boolean, value: Value): "sensitive" | "unknown" | undefined {
  if (isSensitive) return "sensitive";
  return isUnknown(value) ? "unknown" : undefined;
}

/** The properties that programs read from any object. */
const ASKED: ReadonlySet<string> = new Set(["toJSON", "then"]);

/**
 * Makes reading an attribute that the schema lacks an error. Otherwise, `undefined` would compare as false. A rule
 * with a typo, or with the name of a construct's property, would find nothing.
 */
function withoutTypos(values: Values, attributes: Attributes, address: string): Values {
  const names = Object.keys(attributes);
  if (names.length === 0) return values;
  return new Proxy(values, {
    get(target, name, receiver) {
      if (typeof name === "string" && !(name in target) && !names.includes(name) && !ASKED.has(name)) {
        const close = nearest(snakeCase(name), names);
        throw new Error(
          `${address} has no attribute ${name}${close === undefined ? "" : `; did you mean ${close}?`}`,
        );
      }
      return Reflect.get(target, name, receiver);
    },
  });
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Plans of other programs mark the elements of sets without an index, so a list is sensitive as a whole. */
function withoutIndexes(path: AttributePath): AttributePath {
  const end = path.findIndex((step) => typeof step !== "string");
  return end < 0 ? path : path.slice(0, end);
}

/** The paths that the schema marks as sensitive. */
const sensitiveOf = (attributes: Attributes, at: AttributePath = []): AttributePath[] =>
  Object.entries(attributes).flatMap(([name, { type, text }]) => {
    const path = [...at, name];
    if (text.sensitive === true) return [path];
    const inside = nestedIn(type) === undefined ? [] : sensitiveOf(nestedIn(type)!, path);
    return type.kind === "single" || inside.length === 0 ? inside : [path];
  });

const nestedIn = (type: AttributeType): Attributes | undefined =>
  "nested" in type ? type.nested : undefined;
