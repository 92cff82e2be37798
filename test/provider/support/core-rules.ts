import {
  type Attributes,
  isNested,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ResourceSchema,
  type StoredState,
  sameValue,
  type Value,
  type ValueObject,
} from "../../../src/schema";
import { wireFlags } from "../../../src/schema/schema";

/**
 * Checks the rules that Terraform's core has for every plan. The planned value is the configured value, or the whole
 * prior value. An omitted attribute is null unless it is computed. Elements are compared without their nested defaults.
 */
export function checkPlan(
  attributes: Attributes,
  prior: ValueObject | undefined,
  config: ValueObject,
  planned: ValueObject,
): void {
  expect(Object.keys(planned).sort()).toEqual(Object.keys(attributes).sort());
  for (const [name, attribute] of Object.entries(attributes)) {
    const configured = config[name] ?? null;
    const value = planned[name]!;
    const keepsPrior = prior !== undefined && sameValue(value, prior[name] ?? null, attribute.type);
    if (configured !== null) {
      const asConfigured = isNested(attribute.type)
        ? holdsConfigured(configured, value)
        : sameValue(value, configured, attribute.type);
      if (!keepsPrior && !asConfigured)
        throw new Error(`${name} is planned as neither the configuration nor the prior value`);
    } else if (!wireFlags(attribute).computed) {
      expect({ [name]: value }).toEqual({ [name]: null });
    } else if (prior === undefined) {
      expect({ [name]: isUnknown(value) || value === attribute.text.default }).toEqual({ [name]: true });
    }
  }
}

/**
 * Returns true if each configured element has a planned element. The planned element may have defaults for omitted
 * attributes.
 */
function holdsConfigured(configured: Value, planned: Value): boolean {
  if (isUnknown(configured)) return isUnknown(planned);
  if (Array.isArray(configured)) {
    return (
      Array.isArray(planned) &&
      planned.length === configured.length &&
      configured.every((element: Value) => planned.some((other: Value) => holdsConfigured(element, other)))
    );
  }
  if (!isObject(configured)) return configured === planned;
  return (
    isObject(planned) &&
    Object.entries(configured).every(
      ([name, value]) => value === null || holdsConfigured(value, planned[name] ?? null),
    )
  );
}

/** Checks the rules for every apply: after it, no value is unknown, and values that the plan knew are unchanged. */
export function checkApplied(attributes: Attributes, planned: ValueObject, applied: ValueObject): void {
  expect(isWhollyKnown(applied)).toBe(true);
  expect(Object.keys(applied).sort()).toEqual(Object.keys(attributes).sort());
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = planned[name]!;
    if (!isWhollyKnown(value)) continue;
    if (!sameValue(value, applied[name]!, attribute.type)) {
      throw new Error(
        `${name} was planned as ${JSON.stringify(value)} and became ${JSON.stringify(applied[name])}`,
      );
    }
  }
}

/**
 * Checks Terraform's rules for an identity. An identity has the attributes of its schema, and all its values are known.
 * An identity never changes during the life of an object.
 */
export function checkIdentity(
  schema: ResourceSchema,
  before: StoredState | undefined,
  after: StoredState,
): void {
  const { identity } = after;
  if (isUnknown(after.attributes["id"])) return void expect(identity).toBeUndefined();
  expect(Object.keys(identity!).sort()).toEqual(Object.keys(schema.identity!.attributes).sort());
  expect(isWhollyKnown(identity!)).toBe(true);
  if (before?.identity !== undefined) expect(identity).toEqual(before.identity);
}
