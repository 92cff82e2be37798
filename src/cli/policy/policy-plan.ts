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

/** A plan in the form that rules get. The library of constructs exports this type as `PolicyPlan`. */
export type PolicyPlan = ReturnType<typeof policyPlan>;

type Values = Readonly<Record<string, unknown>>;

/** A planned change in the form that rules get. The library of constructs exports this type as `PlannedChange`. */
export type PlannedChange = ReturnType<typeof plannedChange>;

/** An object after the apply, in the form that rules get. The library of constructs exports this type as `PlannedObject`. */
type PlannedObject = ReturnType<typeof plannedObject>;

/** Returns a plan in the form that rules get. Rules can't change the returned plan. */
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
    // Computed on use, because most rules read only the change itself, and not all objects of the plan.
    get objects() {
      return all();
    },
    ofType: (type: string) => all().filter((one) => one.type === type),
  });
}

/**
 * Returns the objects with their projects and groups. If an object contains only the id of its project, the path of the project
 * comes from a different object of the plan.
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

/** Returns the fields that a planned change and an object have in common, in the form that rules get. */
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
    // The action of a replacement is `delete-then-create` or `create-then-delete`.
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

/**
 * The error if a rule reads an unknown or sensitive value. Without this error, the rule could mistake the hidden value for null
 * or for another value.
 */
export class HiddenValue extends Error {
  override readonly name = "HiddenValue";

  constructor(address: string, path: AttributePath, reason: "unknown" | "sensitive") {
    super(
      `${formatPath(path)} of ${address} is ${reason === "unknown" ? "known only after apply" : "sensitive"}`,
    );
  }
}

/**
 * Returns the values of an object as JSON, and the names of its unknown and sensitive attributes. An attribute is named even if
 * only a part of its value is unknown or sensitive. A rule that reads an unknown or sensitive value gets a {@link HiddenValue}
 * error.
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
      // An element of a list is sensitive if the list is sensitive.
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

/** The names of properties that JavaScript itself reads from any object. A read of these properties throws no error. */
const ASKED: ReadonlySet<string> = new Set(["toJSON", "then"]);

/**
 * Returns values that throw an error if a rule reads an attribute that is not in the schema. Without the error, a rule with a
 * typo, or with the name of a construct's property, would read `undefined` and find no violation.
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

/**
 * Returns the part of a path before the first index. Terraform's plans mark sensitive elements of sets without an index.
 * Therefore, one sensitive element makes a whole list sensitive here.
 */
function withoutIndexes(path: AttributePath): AttributePath {
  const end = path.findIndex((step) => typeof step !== "string");
  return end < 0 ? path : path.slice(0, end);
}

/** Returns the paths of the attributes that the schema marks as sensitive. */
const sensitiveOf = (attributes: Attributes, at: AttributePath = []): AttributePath[] =>
  Object.entries(attributes).flatMap(([name, { type, text }]) => {
    const path = [...at, name];
    if (text.sensitive === true) return [path];
    const inside = nestedIn(type) === undefined ? [] : sensitiveOf(nestedIn(type)!, path);
    return type.kind === "single" || inside.length === 0 ? inside : [path];
  });

const nestedIn = (type: AttributeType): Attributes | undefined =>
  "nested" in type ? type.nested : undefined;
