import {
  type Attributes,
  attributeEntries,
  type Declared,
  isUnknown,
  type Reference,
  type Value,
  type ValueObject,
  withDefaults,
} from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import type { Resolution } from "../references/lookups";
import { type Resolved, resolveValue, spellValue } from "../references/normalize";
import type { References } from "../references/references";
import { formatId, type Identity, type Session } from "./session";

/**
 * A declaration as lifecycles receive it: defaults filled in, references resolved, null where left out.
 *
 * @throws ReferenceNotFound, and the client's errors where a path has to be looked up and can't be
 */
export const resolveDeclared = (
  definition: ResourceDefinition,
  config: ValueObject,
  references: References,
): Resolution<Declared<Attributes>> => references.settled(() => declaredBy(definition, config, references));

/** The same, within `settled`. */
export function declaredBy(
  definition: ResourceDefinition,
  config: ValueObject,
  references: References,
): Declared<Attributes> {
  const declared: Record<string, Resolved> = {};
  for (const [name, attribute] of attributeEntries(definition.attributes)) {
    if (attribute.presence === "computed") continue;
    const value = withDefaults(attribute, config[name] ?? null);
    declared[name] = resolveValue(attribute.type, value, references, [name]);
  }
  return declared as Declared<Attributes>;
}

/**
 * Notes which attributes a configuration sets that it may leave out, and whose live value is in the state then. The state
 * alone would not tell: who looks for drift without the configuration reads it from the private bytes.
 */
export function noteDeclared(
  { attributes }: Pick<ResourceDefinition, "attributes">,
  config: ValueObject,
  references: References,
): void {
  const optional = attributeEntries(attributes).filter(([, { presence }]) => presence === "optionalComputed");
  if (optional.length === 0) return;
  references.noteDeclared(optional.map(([name]) => name).filter((name) => (config[name] ?? null) !== null));
}

/** The container that a declaration names. */
export const containerOf = ({ container }: ResourceDefinition, declared: Declared<Attributes>): number =>
  (declared as Readonly<Record<string, Reference>>)[container]!.id;

/**
 * The state to store for what a lifecycle found. `like` is the prior state or the plan: it gives the spelling of
 * references, the order of sets, what only the code knows, and which sets are managed at all.
 *
 * @throws the client's errors where a path has to be looked up and can't be
 */
export const toState = (
  definition: ResourceDefinition,
  identity: Identity,
  found: Found<Attributes>,
  like: ValueObject | undefined,
  references: References,
): Resolution<StoredState> =>
  references.settled(() => stateOf(definition, identity, found, like, references));

function stateOf(
  definition: ResourceDefinition,
  identity: Identity,
  found: Found<Attributes>,
  like: ValueObject | undefined,
  references: References,
): StoredState {
  const observed = { ...found, [definition.container]: { id: identity.container } } as Record<
    string,
    Resolved
  >;
  const attributes: Record<string, Value> = { id: formatId(identity) };
  for (const [name, attribute] of attributeEntries(definition.attributes)) {
    const { presence, type } = attribute;
    const likeValue = like === undefined || isUnknown(like[name]) ? null : (like[name] ?? null);
    const isUnmanaged = presence === "managed" && like !== undefined && likeValue === null;
    attributes[name] =
      presence === "configOnly" || isUnmanaged
        ? withDefaults(attribute, likeValue)
        : spellValue(type, observed[name] ?? null, likeValue, references);
  }
  return { attributes, private: references.remember() };
}

/**
 * The state of what a write just made or left. It is never lost for the sake of a spelling: where a path can't be
 * looked up any more, the id stands in its place and means the same.
 */
export async function toStateOrThrow(
  { failures }: Pick<Session, "failures">,
  ...given: Parameters<typeof toState>
): Promise<StoredState> {
  const [definition, identity, found, like, references] = given;
  try {
    return await toState(...given);
  } catch (problem) {
    if (failures.of(problem) === undefined) throw problem;
    return toState(definition, identity, found, like, references.offline());
  }
}
