import { nearest } from "../../diagnostics";
import {
  ConversionError,
  convert,
  entriesOf,
  impliedType,
  isNull,
  toPlain,
  unmarkDeep,
  type Value,
} from "../../language";
import type { IdentitySchema, Value as Plain, ValueObject } from "../../schema";

/** An identity, or what is wrong with its attributes, in sentences. */
type ReadIdentity = { readonly identity: ValueObject } | { readonly problems: readonly string[] };

/** Why an object of a type can't be imported by its identity. */
export const noIdentity = (type: string): string => `A ${type} has no identity; import it by its id.`;

/** Converts the known value of `identity` to the schema. An optional attribute that is missing is null. */
export function readIdentity(value: Value, { attributes }: IdentitySchema): ReadIdentity {
  if (isNull(value)) return { problems: ["Its identity is null."] };
  const names = Object.keys(attributes);
  if (value.type.kind !== "object" && value.type.kind !== "map")
    return { problems: [`Its identity is not an object with ${names.join(" and ")}.`] };
  const entries = entriesOf(value);
  const types = impliedType(attributes).attributes;
  const misspelt = [...entries.keys()].filter((name) => !types.has(name));
  if (misspelt.length > 0) return { problems: misspelt.map((name) => unknownAttribute(name, names)) };
  const problems: string[] = [];
  const identity: Record<string, Plain> = {};
  for (const name of names) {
    const given = entries.get(name);
    if (given !== undefined && !isNull(given)) {
      try {
        identity[name] = toPlain(unmarkDeep(convert(given, types.get(name)!)).value);
      } catch (problem) {
        if (!(problem instanceof ConversionError)) throw problem;
        problems.push(`Its identity.${name} is invalid: ${problem.reason}.`);
      }
    } else {
      identity[name] = null;
      if (attributes[name]!.presence === "required") problems.push(`Its identity has no ${name}.`);
    }
  }
  return problems.length > 0 ? { problems } : { identity };
}

function unknownAttribute(name: string, names: readonly string[]): string {
  const close = nearest(name, names);
  const hint = close === undefined ? `It has ${names.join(" and ")}.` : `Did you mean "${close}"?`;
  return `Its identity has no attribute "${name}". ${hint}`;
}
