import {
  type Attribute,
  type IdentitySchema,
  isNumericId,
  optional,
  required,
  type Value,
  type ValueObject,
} from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import type { Resolution } from "../references/lookups";
import { hasSize } from "../references/normalize";
import { References } from "../references/references";
import { formatId, type Identity, identityOf, type ReferenceSource } from "./session";

/** The identities of all resources have this version; it is incremented when one gets other attributes. */
const VERSION = 0;

/**
 * Returns the schema of the values that identify an object for Terraform: the numeric id of its container, and its
 * key. Both have the names of the attributes that hold them. They are equivalent to the `id`.
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

/**
 * Adds the identity of the object to a state. The identity follows from the `id`. It is absent while the `id` is
 * unknown, and before the first read of an object that was moved from another provider.
 */
export function withIdentity<S extends StoredState | undefined>(definition: ResourceDefinition, state: S): S {
  if (state === undefined) return state;
  const { id } = state.attributes;
  if (typeof id !== "string" || !NUMERIC_PLACE.test(id)) return state;
  const place = identityOf(state);
  if (state.identity !== undefined && isIdentityOf(definition, state.identity, place)) return state;
  const identity = identityValues(definition, place);
  // V8 is slow to add a field to a copy.
  return "identity" in state ? { ...state, identity } : { identity, ...state };
}

const NUMERIC_PLACE = /^[1-9][0-9]*(:|$)/;

/** Whether an identity has these values, as almost every state does. */
export function isIdentityOf(
  { attributes, container: kind, key: keyed }: ResourceDefinition,
  identity: ValueObject,
  { container, key }: Identity,
): boolean {
  const names = keyed?.attributes ?? [];
  const holder = keyed?.attributeOf?.(key) ?? names[0];
  if (identity[kind] !== String(container) || !hasSize(identity, names.length + 1)) return false;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!;
    const value = name === holder ? keyValue(attributes[name]!, key) : null;
    if (identity[name] === value) continue;
    // Terraform does not let an identity change: one of an earlier release keeps its spelling.
    const isSpelling = keyed?.isAsShown === true && typeof value === "string";
    if (!isSpelling || String(identity[name]).toLowerCase() !== value.toLowerCase()) return false;
  }
  return true;
}

function identityValues({ attributes, container: kind, key: keyed }: ResourceDefinition, place: Identity) {
  const { container, key } = place;
  const names = keyed?.attributes ?? [];
  const holder = keyed?.attributeOf?.(key) ?? names[0];
  const values: Record<string, Value> = { [kind]: String(container) };
  for (const name of names) values[name] = name === holder ? keyValue(attributes[name]!, key) : null;
  return values;
}

const keyValue = ({ type }: Attribute, key: string) => (type.kind === "number" ? Number(key) : key);

/**
 * A state whose id starts with its container's numeric id. The id of an object that was moved from another
 * provider may contain a path until the first read.
 *
 * @throws DiagnosticError `reference_not_found` if the path does not exist, and the client's errors
 */
export function resolveId(
  { definition: { container }, lookups }: ReferenceSource,
  state: StoredState,
): Resolution<StoredState> {
  const text = String(state.attributes["id"]);
  const colon = text.indexOf(":");
  const within = colon < 0 ? text : text.slice(0, colon);
  if (isNumericId(within)) return state;
  const key = colon < 0 ? "" : text.slice(colon + 1);
  const references = new References(lookups, state.private);
  return references.settled(() => {
    const { id } = references.named(container, within, ["id"]);
    return {
      ...state,
      attributes: { ...state.attributes, id: formatId({ container: id, key }) },
    };
  });
}
