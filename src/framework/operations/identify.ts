import {
  type Attribute,
  type Attributes,
  attributeEntries,
  type Declared,
  isWhollyKnown,
  memoize,
  type ValueObject,
  withDefaults,
} from "../../schema";
import { NOT_CACHED } from "../collections/listing";
import type { ResourceDefinition } from "../definition/definition";
import type { IdentifyRequest, StoredState } from "../protocol/protocol";
import { continueWith, type Resolution, withRecovery } from "../protocol/resolution";
import { type Resolved, resolveValue } from "../references/normalize";
import { References } from "../references/references";
import { rememberedIn } from "../references/remembered";
import { knownScope } from "./existing-object";
import { resolveId } from "./resource-identity";
import {
  formatId,
  type Identity,
  identityOf,
  type ReferenceSource,
  type ResourceSession,
  referencesOf,
} from "./session";
import { containerOf } from "./state";

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
 * Computes something from an object's container and key, by the id of its state or by its declaration, and
 * from its attributes. If the service assigns the key, `unique` identifies the object.
 *
 * @throws NOT_CACHED if it needs a request; ReferenceNotFound, and the client's errors
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

/** @param state the object with an id that starts with its container's, if it has an id */
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

/** A class with a getter for each attribute: every object of a run needs such a declaration, of few types. */
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
