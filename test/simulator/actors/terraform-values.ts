import {
  type Attributes,
  canonicalJson,
  isNested,
  isObject,
  isUnknown,
  type Value,
  type ValueObject,
} from "../../../src/schema";

/** Returns a configuration as Terraform sends it to the provider: omitted arguments are null. */
export function filled(attributes: Attributes, given: ValueObject): ValueObject {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type }]): [string, Value] => {
      const value = given[name] ?? null;
      if (!isNested(type) || value === null) return [name, value];
      const inner = (one: Value): Value => (isObject(one) ? filled(type.nested, one) : one);
      return [name, Array.isArray(value) ? value.map(inner) : inner(value)];
    }),
  );
}

/** Returns true if `given` has the same value for every known value in `known`. The order of lists does not matter. */
export function alike(known: Value, given: Value | undefined): boolean {
  if (isUnknown(known)) return true;
  if (Array.isArray(known))
    return (
      Array.isArray(given) &&
      known.length === given.length &&
      known.every((one) => given.some((other: Value) => alike(one, other)))
    );
  if (isObject(known))
    return (
      given !== undefined &&
      isObject(given) &&
      Object.entries(known).every(([name, value]) => alike(value, given[name]))
    );
  return canonicalJson(known) === canonicalJson(given ?? null);
}
