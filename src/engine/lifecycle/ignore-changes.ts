import {
  elementsOf,
  entriesOf,
  fromPlain,
  impliedType,
  isKnown,
  isNull,
  type Lifecycle,
  list,
  map,
  numOf,
  object,
  type Traversal,
  textOf,
  toInteger,
  toPlainAs,
  tuple,
  type Value,
} from "../../language";
import type { Attributes, Value as Plain, ValueObject } from "../../schema";

type Step = Traversal["steps"][number];

/**
 * The configuration with what `ignore_changes` names taken from the prior state, so that it plans no change; or what is
 * live, so that it is no drift. What leads nowhere in either of the two is passed over.
 */
export function ignoreChanges(
  { ignoreChanges: ignored }: Pick<Lifecycle, "ignoreChanges">,
  attributes: Attributes,
  prior: ValueObject,
  config: ValueObject,
): ValueObject {
  if (ignored === "all") return asConfigured(attributes, prior);
  const types = impliedType(attributes).attributes;
  const result: Record<string, Plain> = { ...config };
  for (const { root, steps } of ignored) {
    const type = types.get(root);
    if (type === undefined) continue;
    const [before, now] = [fromPlain(prior[root] ?? null, type), fromPlain(result[root] ?? null, type)];
    result[root] = steps.length === 0 ? (prior[root] ?? null) : toPlainAs(type, keep(now, before, steps));
  }
  return result;
}

/** A state as if it were a configuration: what only the service sets is not in one. */
const asConfigured = (attributes: Attributes, prior: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { presence }]) => [
      name,
      presence === "computed" ? null : (prior[name] ?? null),
    ]),
  );

/** A value with what is at the end of the steps taken from before. */
function keep(now: Value, before: Value, [step, ...rest]: readonly Step[]): Value {
  if (step === undefined) return before;
  if (!isKnown(now) || isNull(now) || !isKnown(before) || isNull(before)) return now;
  if (now.content instanceof Map && before.content instanceof Map) return keepEntry(now, before, step, rest);
  const position =
    "index" in step && step.index.type.kind === "number" ? toInteger(numOf(step.index)) : undefined;
  const isSequence =
    ["list", "tuple"].includes(now.type.kind) && ["list", "tuple"].includes(before.type.kind);
  if (position === undefined || !isSequence) return now;
  const elements = [...elementsOf(now)];
  const [one, other] = [elements[position], elementsOf(before)[position]];
  if (one === undefined || other === undefined) return now;
  elements[position] = keep(one, other, rest);
  return now.type.kind === "list" ? list(elements, now.type.element) : tuple(elements);
}

function keepEntry(now: Value, before: Value, step: Step, rest: readonly Step[]): Value {
  const key =
    "attribute" in step ? step.attribute : step.index.type.kind === "string" ? textOf(step.index) : undefined;
  if (key === undefined) return now;
  const entries = new Map(entriesOf(now));
  const [one, other] = [entries.get(key), entriesOf(before).get(key)];
  if (now.type.kind === "map" && rest.length === 0) {
    // An entry of a map may be what changed: it came, or it went.
    if (other === undefined) entries.delete(key);
    else entries.set(key, other);
    return map(entries, now.type.element);
  }
  if (one === undefined || other === undefined) return now;
  entries.set(key, keep(one, other, rest));
  return now.type.kind === "map" ? map(entries, now.type.element) : object(entries);
}
