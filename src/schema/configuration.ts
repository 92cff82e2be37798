import { type Attributes, attributeEntries, isNested } from "./attribute";
import { canonicalJson, isObject, type Value, type ValueObject } from "./value";

/**
 * The configuration that a user would write for a state, with null for what is omitted: attributes that the service sets, such
 * as the id, deprecated ones, defaults that a plan fills in, and empty values of settings that exist anyway. A plan of it
 * against the state is empty.
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
