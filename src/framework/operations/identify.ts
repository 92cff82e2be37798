import {
  type Attributes,
  attributeEntries,
  type Declared,
  isWhollyKnown,
  type ValueObject,
  withDefaults,
} from "../../schema";
import { NOT_CACHED } from "../collections/live-collection";
import type { ResourceDefinition } from "../definition/definition";
import type { IdentifyRequest, StoredState } from "../protocol/protocol";
import type { KnownPaths, Resolution } from "../references/lookups";
import { resolveValue } from "../references/normalize";
import { References } from "../references/references";
import { knownScope } from "./observe-before-create";
import { resolveId } from "./resolve-id";
import { formatId, type Identity, identityOf, referencesOf, type Session } from "./session";
import { containerOf } from "./state";

/** The identity of an object on the service, whatever its address; undefined if it is not known yet. */
export async function identify(
  definition: ResourceDefinition,
  session: Session,
  { attributes, private: remembered, asksNothing = false }: IdentifyRequest,
): Promise<string | undefined> {
  if (!session.isConnected) return undefined;
  const { key, type } = definition;
  const { lookups } = session;
  if (asksNothing) lookups.learn(References.rememberedBy(remembered));
  try {
    const known = { lookups: asksNothing ? lookups.known : lookups };
    const object = { attributes, private: remembered };
    const place = await identified(definition, known, object, (_declared, found) => found);
    const scope = knownScope(definition, session, place.container);
    const same = key?.sameAs === undefined ? place.key : await key.sameAs(scope, place.key);
    return `${session.connection.address} ${type} ${formatId({ ...place, key: same })}`;
  } catch (problem) {
    // The plan reports references that can't be resolved.
    if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
    return undefined;
  }
}

/**
 * Computes something from an object's container and key, by the id of its state or by its declaration, and
 * from its attributes. If the service assigns the key, `unique` identifies the object.
 *
 * @throws NOT_CACHED if it needs a request; ReferenceNotFound, and the client's errors
 */
export async function identified<T>(
  definition: ResourceDefinition,
  known: { readonly lookups: KnownPaths },
  object: StoredState,
  tell: (declared: Declared<Attributes>, place: Identity) => T,
): Promise<T> {
  const hasId = typeof object.attributes["id"] === "string";
  const state = hasId ? await resolveId(definition, known, object) : undefined;
  const references =
    state === undefined
      ? new References(known.lookups, object.private)
      : referencesOf(definition, known, state);
  const resolution: Resolution<T> = references.settled(() => {
    const declared = whereKnown(definition, object.attributes, references);
    const { container, key } =
      state === undefined
        ? { container: containerOf(definition, declared), key: undefined }
        : identityOf(state);
    const unique = definition.key?.unique?.(declared);
    return tell(declared, { container, key: unique ?? key ?? definition.key?.of(declared) ?? "" });
  });
  return resolution;
}

/**
 * A declaration of which only the accessed attributes must be known, with references resolved within
 * `settled`.
 */
function whereKnown(
  { attributes }: ResourceDefinition,
  values: ValueObject,
  references: References,
): Declared<Attributes> {
  const declared = {};
  for (const [name, attribute] of attributeEntries(attributes)) {
    if (attribute.presence === "computed") continue;
    const value = withDefaults(attribute, values[name] ?? null);
    Object.defineProperty(declared, name, {
      get() {
        const isMissing = value === null && attribute.presence === "required";
        if (isMissing || !isWhollyKnown(value)) throw NOT_CACHED;
        return resolveValue(attribute.type, value, references, [name]);
      },
    });
  }
  return declared as Declared<Attributes>;
}
