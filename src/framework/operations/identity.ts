import {
  type Attribute,
  type Attributes,
  attributeEntries,
  continueWith,
  type Declared,
  isNumericId,
  isWhollyKnown,
  memoize,
  type Reference,
  type Resolution,
  type Value,
  type ValueObject,
  withDefaults,
  withRecovery,
} from "../../schema";
import { NOT_CACHED } from "../collections/listing";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { IdentifyRequest, IdParts, StoredState } from "../protocol/protocol";
import { hasSize, type Resolved, resolveValue } from "../references/normalize";
import { References } from "../references/references";
import { rememberedIn } from "../references/remembered";
import { knownScope, type ReferenceSource, type ResourceSession } from "./session";

/**
 * The id of an object's container, and the object's key in the container. The key is "" if the container has only
 * one such object.
 */
export interface Identity {
  readonly container: number;
  readonly key: string;
}

/** Returns the identity of a declared or live object in a container. The key is "" if the service has not assigned a key yet. */
export const placeOf = (
  { key }: ResourceDefinition,
  container: number,
  object: Declared<Attributes> | Found<Attributes>,
): Identity => ({ container, key: key?.of(object) ?? "" });

/** Returns the numeric id of the container that a declaration names. */
export const containerOf = ({ container }: ResourceDefinition, declared: Declared<Attributes>): number =>
  (declared as Readonly<Record<string, Reference>>)[container]!.id;

/** Returns the id of an object for the state and for import, such as `42` or `42:production`. */
export const formatId = ({ container, key }: Identity): string =>
  key === "" ? String(container) : `${container}:${key}`;

/** Returns the identity that an id in the state contains. The key can contain colons. */
export function parseId(id: string): Identity {
  const { container, key = "" } = idParts(id);
  return { container: Number(container), key };
}

/** Returns the container and the key in an id of the state. Before the first read, the container part can be a path. */
export function idParts(id: string): IdParts {
  const colon = id.indexOf(":");
  return colon < 0 ? { container: id } : { container: id.slice(0, colon), key: id.slice(colon + 1) };
}

/** Returns the identity of an object in a state. */
export const identityOf = ({ attributes }: StoredState): Identity => parseId(String(attributes["id"]));

/**
 * Returns the references of an object: the references in the private bytes of its state, and the container with which its id
 * begins.
 */
export function referencesOf(
  { definition: { container }, lookups }: ReferenceSource,
  state: StoredState | undefined,
): References {
  const references = new References(lookups, state?.private);
  const text = state?.attributes[container];
  if (state !== undefined && typeof text === "string") {
    references.learn(container, text, identityOf(state).container);
  }
  return references;
}

/**
 * Returns a text that identifies an object on the service, independent of its address; undefined if the object is not known yet.
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
      // A reference that can't be resolved is ignored here, because the plan reports it.
      if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
      return undefined;
    },
  );
}

/**
 * Calls `tell` with the declaration, container and key of an object, and returns its result. The key comes from the id in the
 * state, or else from the declaration. If the service assigns the key, the `unique` text replaces the key.
 *
 * @throws NOT_CACHED if an attribute is unknown; ReferenceNotFound, and the client's errors
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

/** @param state the state of the object, whose id starts with the id of its container; undefined if the object has no id */
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
 * Returns a declaration in which an attribute is resolved only when code accesses it. Use the declaration only within
 * `References.settled`. `orElse` returns the value for an unknown attribute.
 */
export const declaredPart = (
  { attributes }: ResourceDefinition,
  values: ValueObject,
  references: References,
  orElse: (attribute: Attribute) => Resolved,
): Declared<Attributes> =>
  new (declarationsOf(attributes))(values, references, orElse) as unknown as Declared<Attributes>;

/**
 * Returns a class with a getter for each attribute. Each type has one class, because a run creates an instance for every object.
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
 * Returns a state with the object's identity, which follows from the `id`. The identity is absent if the `id` is unknown, or if
 * an object from another provider was not read yet.
 */
export function withIdentity<S extends StoredState | undefined>(definition: ResourceDefinition, state: S): S {
  if (state === undefined) return state;
  const { id } = state.attributes;
  if (typeof id !== "string" || !NUMERIC_PLACE.test(id)) return state;
  const place = identityOf(state);
  if (state.identity !== undefined && isIdentityOf(definition, state.identity, place)) return state;
  const identity = identityValues(definition, place);
  // V8 adds a field to a copy slowly, so `identity` comes first in a new object.
  return "identity" in state ? { ...state, identity } : { identity, ...state };
}

const NUMERIC_PLACE = /^[1-9][0-9]*(:|$)/;

/** Returns whether an identity already has the values for a container and a key. The result is true for almost every state. */
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
    // Terraform refuses a changed identity, so an identity from an earlier release keeps its spelling.
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
 * Returns a state whose id starts with the numeric id of the container. The id of an object from another provider can start with
 * a path until the first read.
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
