import {
  type Attribute,
  type Attributes,
  attributeEntries,
  type Declared,
  type IdentitySchema,
  isNumericId,
  isWhollyKnown,
  memoize,
  optional,
  required,
  type Value,
  type ValueObject,
  withDefaults,
} from "../../schema";
import { NOT_CACHED } from "../collections/listing";
import type { ResourceDefinition } from "../definition/definition";
import type { IdentifyRequest, StoredState } from "../protocol/protocol";
import { continueWith, type Resolution, withRecovery } from "../protocol/resolution";
import { hasSize, type Resolved, resolveValue } from "../references/normalize";
import { References } from "../references/references";
import { rememberedIn } from "../references/remembered";
import {
  containerOf,
  formatId,
  type Identity,
  identityOf,
  knownScope,
  type ReferenceSource,
  type ResourceSession,
  referencesOf,
} from "./session";

/**
 * Returns the identity of an object on the service, independent of its address; undefined if it is not known yet.
 */
export function identify(
  session: ResourceSession,
  { attributes, private: remembered, isCacheOnly = false }: Omit<IdentifyRequest, "type">,
): Resolution<string | undefined> {
  const { definition, lookups, connection } = session;
  if (!session.isConnected) return undefined;
  const { key, type } = definition;
  if (isCacheOnly) lookups.learn(rememberedIn(remembered).references);
  const source = { definition, lookups: isCacheOnly ? lookups.known : lookups };
  const object = { attributes, private: remembered };
  return withRecovery<string | undefined>(
    () =>
      continueWith(
        identified(source, object, (_declared, found) => found),
        (place) => {
          const same = key?.sameAs?.(knownScope(session, place.container), place.key) ?? place.key;
          return continueWith(
            same,
            (one) => `${connection.address} ${type} ${formatId({ ...place, key: one })}`,
          );
        },
      ),
    (problem) => {
      // The plan reports references that can't be resolved.
      if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
      return undefined;
    },
  );
}

/**
 * Calls a function with an object's declaration, container and key. The key comes from the id in the state,
 * or from the declaration. If the service assigns the key, the `unique` text identifies the object.
 *
 * @throws NOT_CACHED if an attribute is not known; ReferenceNotFound, and the client's errors
 */
export function identified<T>(
  source: ReferenceSource,
  object: StoredState,
  tell: (declared: Declared<Attributes>, place: Identity) => T,
): Resolution<T> {
  const hasId = typeof object.attributes["id"] === "string";
  return continueWith(hasId ? resolveId(source, object) : undefined, (state) =>
    identifiedAs(source, object, state, tell),
  );
}

/** @param state the object's state, whose id starts with the container's id; undefined if the object has no id */
function identifiedAs<T>(
  source: ReferenceSource,
  object: StoredState,
  state: StoredState | undefined,
  tell: (declared: Declared<Attributes>, place: Identity) => T,
): Resolution<T> {
  const { definition, lookups } = source;
  const references =
    state === undefined ? new References(lookups, object.private) : referencesOf(source, state);
  return references.settled(() => {
    const declared = declaredPart(definition, object.attributes, references, throwNotCached);
    const { container, key } =
      state === undefined
        ? { container: containerOf(definition, declared), key: undefined }
        : identityOf(state);
    const unique = definition.key?.unique?.(declared);
    return tell(declared, { container, key: unique ?? key ?? definition.key?.of(declared) ?? "" });
  });
}

function throwNotCached(): never {
  throw NOT_CACHED;
}

/**
 * Returns a declaration whose accessed attributes are resolved, with references resolved within `settled`. `orElse`
 * returns the value for an attribute that is not known.
 */
export const declaredPart = (
  { attributes }: ResourceDefinition,
  values: ValueObject,
  references: References,
  orElse: (attribute: Attribute) => Resolved,
): Declared<Attributes> =>
  new (declarationsOf(attributes))(values, references, orElse) as unknown as Declared<Attributes>;

/**
 * Returns a class with a getter for each attribute. A run creates such a declaration for every object, but
 * there are few types, so each class is created once.
 */
const declarationsOf = memoize((attributes: Attributes) => {
  class Declaration {
    readonly #values: ValueObject;
    readonly #references: References;
    readonly #orElse: (attribute: Attribute) => Resolved;

    constructor(values: ValueObject, references: References, orElse: (attribute: Attribute) => Resolved) {
      this.#values = values;
      this.#references = references;
      this.#orElse = orElse;
    }

    static resolve(declared: Declaration, name: string, attribute: Attribute): Resolved {
      const value = withDefaults(attribute, declared.#values[name] ?? null);
      const isMissing = value === null && attribute.presence === "required";
      return isMissing || !isWhollyKnown(value)
        ? declared.#orElse(attribute)
        : resolveValue(attribute.type, value, declared.#references, [name]);
    }
  }
  for (const [name, attribute] of attributeEntries(attributes)) {
    if (attribute.presence === "computed") continue;
    Object.defineProperty(Declaration.prototype, name, {
      get(this: Declaration) {
        return Declaration.resolve(this, name, attribute);
      },
    });
  }
  return Declaration;
});

/**
 * The schema version of the identities of all resources. It is incremented when an identity gets other
 * attributes.
 */
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
  // V8 is slow to add a field to a copy, so the identity comes first in a new object.
  return "identity" in state ? { ...state, identity } : { identity, ...state };
}

const NUMERIC_PLACE = /^[1-9][0-9]*(:|$)/;

/** Returns whether an identity equals a container and a key, as the identity in almost every state does. */
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
    // Terraform does not let an identity change. An identity from an earlier release therefore keeps its
    // spelling.
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
 * Returns a state whose id starts with the numeric id of its container. Until the first read, the id of an
 * object that was moved from another provider may contain a path.
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
