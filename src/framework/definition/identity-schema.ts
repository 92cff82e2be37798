import { type Attribute, type IdentitySchema, optional, required } from "../../schema";
import type { ResourceDefinition } from "./definition";

/** The schema version of the identities of all resources. Increment this version when an identity gets other attributes. */
const VERSION = 0;

/**
 * Returns the schema of the identity that Terraform stores for an object: the numeric id of its container, and its key. In the
 * identity, each value has the name of the object's attribute that contains the value. The values together are equivalent to the
 * `id`.
 */
export function identitySchemaOf({ attributes, container, key }: ResourceDefinition): IdentitySchema {
  const keys = key?.attributes ?? [];
  const presence = keys.length > 1 ? optional : required;
  return {
    version: VERSION,
    attributes: {
      [container]: required.reference(
        container,
        `The numeric id of the ${container}. An import also accepts its full path.`,
      ),
      ...Object.fromEntries(
        keys.map((name) => [name, identityAttribute(name, attributes[name]!, presence, keys)]),
      ),
    },
  };
}

function identityAttribute(
  name: string,
  { type }: Attribute,
  presence: typeof optional | typeof required,
  all: readonly string[],
): Attribute {
  const only =
    all.length > 1 ? ` Exactly one of ${all.map((name) => `\`${name}\``).join(" and ")} is set.` : "";
  if (type.kind === "reference") {
    return presence.reference(
      type.to,
      `The numeric id of the ${type.to}. An import also accepts its path.${only}`,
    );
  }
  const text = { description: `The value of the attribute \`${name}\`.${only}` };
  return type.kind === "number" ? presence.number(text) : presence.string(text);
}
