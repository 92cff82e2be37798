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
 * What Terraform's core asks of every plan: a configured value is planned as it stands or as the whole prior value; what
 * is left out is null unless it is computed too. Elements are compared with their nested defaults left open.
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

/** Whether each configured element has its planned one, with what was left out filled in. */
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

/** And of every apply: nothing is unknown afterwards, and what was known at plan came true to the letter. */
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
 * What Terraform asks of an identity: wholly known, with the attributes of its schema, and the same as long as the object
 * is the same one.
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
