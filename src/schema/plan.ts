import type { AttributePath } from "../diagnostics";
import {
  type Attribute,
  type Attributes,
  attributeEntries,
  attributeList,
  isNested,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "./attribute";
import { memoize } from "./helpers";
import { canonicalJson, isObject, isUnknown, sameValue } from "./value";

/**
 * A function that returns whether two values of an attribute are semantically equal. Semantically equal values may have
 * different spellings.
 */
export type SemanticEquality = (
  attribute: Attribute,
  one: Value,
  other: Value,
  path: AttributePath,
) => boolean;

export interface AttributesPlan {
  /** The planned values. If no value changes, `planned` is the prior object itself. */
  readonly planned: ValueObject;
  /** Whether any value changes, including values that the service determines. */
  readonly isChange: boolean;
  readonly requiresReplace: readonly AttributePath[];
}

/**
 * Plans every attribute by its presence. If a configured value is semantically equal to the prior value, the
 * plan contains the prior value. A different spelling is therefore not a change.
 */
export function planAttributes(
  attributes: Attributes,
  prior: ValueObject | undefined,
  config: ValueObject,
  isEquivalent: SemanticEquality,
): AttributesPlan {
  const planned: Record<string, Value> = {};
  const requiresReplace: AttributePath[] = [];
  let isChanged = false;
  let isAsBefore = prior !== undefined;
  let isChange = !isAsBefore;
  for (const [name, attribute] of attributeEntries(attributes)) {
    if (attribute.presence === "computed") continue;
    const before = prior?.[name] ?? null;
    const after = plannedValue(attribute, prior && before, config[name] ?? null, [name], isEquivalent);
    planned[name] = after;
    isAsBefore &&= after === prior![name];
    if (prior === undefined || sameValue(after, before)) continue;
    isChange = true;
    isChanged ||= isSent(attribute, after);
    // After an import, a `configOnly` attribute is null. Setting the first value must not replace the object.
    const isFirstValue = attribute.presence === "configOnly" && before === null;
    if (attribute.text.replaces && !isFirstValue) requiresReplace.push([name]);
  }
  for (const [name, attribute] of attributeEntries(attributes)) {
    if (attribute.presence !== "computed") continue;
    const isKept = prior !== undefined && !(isChanged && isChangedWith(attribute, prior, planned));
    planned[name] = isKept ? (prior[name] ?? null) : UNKNOWN;
    isChange ||= !isKept;
    isAsBefore &&= planned[name] === prior![name];
  }
  return { planned: isAsBefore ? prior! : planned, isChange, requiresReplace };
}

/**
 * Returns whether `planAttributes` would certainly return the prior values. The comparison is exact: an equivalent
 * spelling counts as a change.
 */
export function isPlannedAsBefore(attributes: Attributes, prior: ValueObject, config: ValueObject): boolean {
  const all = keepingOf(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, isKept } = all[index]!;
    const before = prior[name];
    if (before === undefined || !isKept(config[name] ?? null, before)) return false;
  }
  return true;
}

const keepingOf = memoize((attributes: Attributes) =>
  attributeList(attributes).map(({ name, attribute }) => ({ name, isKept: keepingOfOne(attribute) })),
);

function keepingOfOne(attribute: Attribute): Equality {
  const { presence, text } = attribute;
  if (presence === "computed") return () => true;
  const isSame = equalityOf(attribute);
  if (presence !== "optionalComputed" || (text.default ?? null) !== null) return isSame;
  return (config, prior) => config === null || isSame(config, prior);
}

const isChangedWith = (
  { text: { changesOnUpdate = false } }: Attribute,
  prior: ValueObject,
  planned: ValueObject,
): boolean => (typeof changesOnUpdate === "function" ? changesOnUpdate(prior, planned) : changesOnUpdate);

/**
 * Returns whether the service receives the changed value of this attribute. The service receives neither `configOnly`
 * attributes nor sets that are no longer managed.
 */
const isSent = ({ presence }: Attribute, after: Value): boolean =>
  presence !== "configOnly" && !(presence === "managed" && after === null);

function plannedValue(
  attribute: Attribute,
  prior: Value | undefined,
  config: Value,
  path: AttributePath,
  isEquivalent: SemanticEquality,
): Value {
  // Most values did not change, so this test saves the work below.
  if (prior !== undefined && prior !== null && equalityOf(attribute)(config, prior)) return prior;
  const withDefault = withDefaults(attribute, config);
  if (withDefault === null && attribute.presence === "optionalComputed")
    return prior === undefined ? UNKNOWN : prior;
  if (prior === undefined || prior === null || withDefault === null || isUnknown(withDefault))
    return withDefault;
  return isEquivalent(attribute, prior, withDefault, path) ? prior : withDefault;
}

/** A function that returns whether the configured value with the attribute's defaults is exactly the prior value. */
type Equality = (config: Value, prior: Value) => boolean;

/**
 * Returns the comparison for an attribute. A plan compares every object, so the function caches the decisions that
 * depend only on the attribute.
 */
const equalityOf = memoize(({ type, text }: Attribute): Equality => {
  const omitted = (text.default as Value | undefined) ?? null;
  if (!isNested(type)) return (config, prior) => sameValue(config ?? omitted, prior);
  const isSameElement = equalityOfElements(type.nested);
  return (config, prior) => {
    if (config === null) return sameValue(omitted, prior);
    if (!Array.isArray(config)) return isSameElement(config, prior);
    if (!Array.isArray(prior) || config.length !== prior.length) return false;
    for (let index = 0; index < config.length; index += 1)
      if (!isSameElement(config[index] as Value, prior[index] as Value)) return false;
    return true;
  };
});

function equalityOfElements(attributes: Attributes): Equality {
  const all = attributeList(attributes).map(({ name, attribute }) => ({
    name,
    isSame: equalityOf(attribute),
  }));
  return (element, prior) => {
    if (!isObject(element) || !isObject(prior)) return false;
    for (let index = 0; index < all.length; index += 1) {
      const { name, isSame } = all[index]!;
      const value = prior[name];
      if (value === undefined || !isSame(element[name] ?? null, value)) return false;
    }
    return Object.keys(prior).length === all.length;
  };
}

/**
 * Returns the configured value, in which the defaults of the attribute and of its nested attributes replace
 * omitted values.
 */
export function withDefaults(attribute: Attribute, value: Value): Value {
  const { type, text } = attribute;
  if (value === null) return (text.default as Value | undefined) ?? null;
  if (!isNested(type) || isUnknown(value)) return value;
  const fill = (element: Value): Value => (isObject(element) ? filled(type.nested, element) : element);
  return Array.isArray(value) ? value.map(fill) : fill(value);
}

function filled(attributes: Attributes, element: ValueObject): ValueObject {
  const found: Record<string, Value> = {};
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    found[name] = withDefaults(attribute, element[name] ?? null);
  }
  return found;
}

/**
 * Returns the configuration that a user would write for a state. The configuration is null for attributes that the
 * service sets (such as the id), deprecated attributes, defaults, and empty values of settings that always exist. A
 * plan of this configuration against the state is empty.
 */
export const configurationOf = (attributes: Attributes, state: ValueObject): ValueObject =>
  Object.fromEntries(
    attributeEntries(attributes).map(([name, { presence, type, text }]) => {
      const value = state[name] ?? null;
      const isOmitted =
        value === null ||
        presence === "computed" ||
        text.deprecated !== undefined ||
        (text.default !== undefined && canonicalJson(value) === canonicalJson(text.default as Value)) ||
        (presence === "optionalComputed" && isEmpty(value));
      if (isOmitted) return [name, null];
      return [name, isNested(type) ? nestedConfiguration(type.nested, value) : value];
    }),
  );

const isEmpty = (value: Value): boolean => value === "" || (Array.isArray(value) && value.length === 0);

const nestedConfiguration = (nested: Attributes, value: Value): Value => {
  if (Array.isArray(value)) return value.map((element: Value) => nestedConfiguration(nested, element));
  return isObject(value) ? configurationOf(nested, value) : value;
};
