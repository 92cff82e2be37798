import {
  fromPlain,
  impliedType,
  type Lifecycle,
  list,
  map,
  object,
  type Traversal,
  toInteger,
  toPlainAs,
  tuple,
  type Value,
} from "../../language";
import type { Attributes, Value as Plain, ValueObject } from "../../schema";

type PathStep = Traversal["steps"][number];

/**
 * The configuration with the attributes of `ignore_changes` taken from the prior state, so that they plan no
 * change. Given live values in place of a configuration, the result excludes them from drift. A path that
 * does not exist in either is ignored.
 */
export function ignoreChanges(
  { ignoreChanges: ignored }: Pick<Lifecycle, "ignoreChanges">,
  attributes: Attributes,
  prior: ValueObject,
  config: ValueObject,
): ValueObject {
  if (ignored === "all") return stateAsConfig(attributes, prior);
  if (ignored.length === 0) return config;
  const types = impliedType(attributes).attributes;
  const result: Record<string, Plain> = { ...config };
  for (const { root, steps } of ignored) {
    const type = types.get(root);
    if (type === undefined) continue;
    const [before, now] = [fromPlain(prior[root] ?? null, type), fromPlain(result[root] ?? null, type)];
    result[root] = steps.length === 0 ? (prior[root] ?? null) : toPlainAs(type, keepPath(now, before, steps));
  }
  return result;
}

/** A state as if it were a configuration: computed attributes are null. */
const stateAsConfig = (attributes: Attributes, prior: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { presence }]) => [
      name,
      presence === "computed" ? null : (prior[name] ?? null),
    ]),
  );

/** A value with the element at the end of the path taken from `before`. */
function keepPath(now: Value, before: Value, [step, ...rest]: readonly PathStep[]): Value {
  if (step === undefined) return before;
  if (!now.isKnown || now.isNull || !before.isKnown || before.isNull) return now;
  if (now.content instanceof Map && before.content instanceof Map) return keepEntry(now, before, step, rest);
  const position =
    "index" in step && step.index.type.kind === "number" ? toInteger(step.index.num) : undefined;
  const isSequence =
    ["list", "tuple"].includes(now.type.kind) && ["list", "tuple"].includes(before.type.kind);
  if (position === undefined || !isSequence) return now;
  const elements = [...now.elements];
  const [one, other] = [elements[position], before.elements[position]];
  if (one === undefined || other === undefined) return now;
  elements[position] = keepPath(one, other, rest);
  return now.type.kind === "list" ? list(elements, now.type.element) : tuple(elements);
}

/** The name of an attribute, or the key of an entry. */
export const nameOfStep = (step: PathStep): string | undefined =>
  "attribute" in step ? step.attribute : step.index.type.kind === "string" ? step.index.text : undefined;

function keepEntry(now: Value, before: Value, step: PathStep, rest: readonly PathStep[]): Value {
  const key = nameOfStep(step);
  if (key === undefined) return now;
  const entries = new Map(now.entries);
  const [one, other] = [entries.get(key), before.entries.get(key)];
  if (now.type.kind === "map" && rest.length === 0) {
    // The entry itself may have been added or removed.
    if (other === undefined) entries.delete(key);
    else entries.set(key, other);
    return map(entries, now.type.element);
  }
  if (one === undefined || other === undefined) return now;
  entries.set(key, keepPath(one, other, rest));
  return now.type.kind === "map" ? map(entries, now.type.element) : object(entries);
}
