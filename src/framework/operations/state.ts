import {
  type Attributes,
  attributeEntries,
  attributeList,
  continueWith,
  type Declared,
  isUnknown,
  memoize,
  spelledLike,
  type Value,
  type ValueObject,
  withDefaults,
} from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import type { ReferencedObject, Resolution } from "../references/lookups";
import {
  comparisonOf,
  hasReferences,
  hasSize,
  isWithoutReference,
  type Resolved,
  resolveValue,
  spellValue,
} from "../references/normalize";
import type { References } from "../references/references";
import { rememberedIn } from "../references/remembered";
import { formatId, type Identity, isIdentityOf, withIdentity } from "./identity";
import type { ResourceSession } from "./session";

/** Returns whether stored attributes have the current schema version, with exactly the attributes of the resource. */
export function isCurrent(
  { version: current = 0, attributes }: ResourceDefinition,
  version: number,
  stored: ValueObject,
): boolean {
  if (version !== current || stored["id"] === undefined) return false;
  const all = attributeList(attributes);
  for (let index = 0; index < all.length; index += 1)
    if (stored[all[index]!.name] === undefined) return false;
  return hasSize(stored, all.length + 1);
}

/**
 * Returns the attributes of a type, each with the function that compares its values. The result is cached, because a plan
 * compares every object.
 */
const comparedOf = memoize((attributes: Attributes) =>
  attributeList(attributes).map(({ name, attribute }) => ({
    name,
    attribute,
    isSame: comparisonOf(attribute.type),
  })),
);

/**
 * Returns the declaration in the form for lifecycle functions: with defaults, resolved references, and null for
 * omitted attributes.
 *
 * @throws ReferenceNotFound, and the client's errors if a path can't be looked up
 */
export const resolveDeclared = (
  definition: ResourceDefinition,
  config: ValueObject,
  references: References,
): Resolution<Declared<Attributes>> => references.settled(() => declaredBy(definition, config, references));

/** Returns the declaration with resolved references. Call this function only within `References.settled`. */
export function declaredBy(
  definition: ResourceDefinition,
  config: ValueObject,
  references: References,
): Declared<Attributes> {
  const declared: Record<string, Resolved> = {};
  const all = attributeList(definition.attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, attribute } = all[index]!;
    if (attribute.presence === "computed") continue;
    const value = withDefaults(attribute, config[name] ?? null);
    declared[name] = value === null ? null : resolveValue(attribute.type, value, references, [name]);
  }
  return declared as Declared<Attributes>;
}

/**
 * Returns the declaration of a configuration whose plan equals the prior values (`isPlannedAsBefore`). Values without references
 * are copied from the prior values, which is fast.
 */
export function declaredAsBefore(
  definition: ResourceDefinition,
  config: ValueObject,
  prior: ValueObject,
  references: References,
): Declared<Attributes> {
  const declared: Record<string, Resolved> = {};
  const all = resolvedAsBefore(definition.attributes);
  for (let index = 0; index < all.length; index += 1) {
    const { name, resolve } = all[index]!;
    declared[name] = resolve(config[name] ?? null, prior[name]!, references);
  }
  return declared as Declared<Attributes>;
}

/** Returns, for each attribute, the function that resolves its value for `declaredAsBefore`. */
const resolvedAsBefore = memoize((attributes: Attributes) =>
  attributeList(attributes)
    .filter(({ attribute: { presence } }) => presence !== "computed")
    .map(({ name, attribute: { presence, type, text } }) => {
      const canRefer = hasReferences(type);
      const isNullIfLeftOut = presence === "optionalComputed" && (text.default ?? null) === null;
      const resolve = (config: Value, prior: Value, references: References): Resolved => {
        if (isNullIfLeftOut && config === null) return null;
        if (!canRefer || isWithoutReference(type, prior)) return prior as Resolved;
        return resolveValue(type, prior, references, [name]);
      };
      return { name, resolve };
    }),
);

/**
 * Records in the private bytes which optional computed attributes a configuration sets. The state contains live values of all
 * such attributes. Drift detection without the configuration needs the names of the set attributes.
 */
export function noteDeclared(
  { attributes }: Pick<ResourceDefinition, "attributes">,
  config: ValueObject,
  references: References,
): void {
  const optional = optionalComputedOf(attributes);
  if (optional.length === 0) return;
  references.noteDeclared(optional.filter((name) => (config[name] ?? null) !== null));
}

const optionalComputedOf = memoize((attributes: Attributes): readonly string[] =>
  attributeEntries(attributes)
    .filter(([, { presence }]) => presence === "optionalComputed")
    .map(([name]) => name),
);

/** Returns the names and definitions of the attributes that a declaration sets on the service. */
export const settingsOf = memoize(({ attributes, container }: ResourceDefinition) =>
  attributeEntries(attributes).filter(
    ([name, { presence }]) => name !== container && presence !== "computed" && presence !== "configOnly",
  ),
);

/** A live object from a lifecycle function, with its definition, identity and references. */
export interface Observed {
  readonly definition: ResourceDefinition;
  readonly identity: Identity;
  readonly found: Found<Attributes>;
  readonly references: References;
}

/**
 * Converts the result of a lifecycle function to a state. `like` has the attributes of the prior state or the plan. These
 * attributes determine the spelling of references, the order of sets, the values of `configOnly` attributes, and which sets are
 * managed.
 *
 * @throws the client's errors if a path can't be looked up
 */
export const toState = (observed: Observed, like: ValueObject | undefined): Resolution<StoredState> =>
  observed.references.settled(() => stateOf(observed, like));

/**
 * Converts the live object from a read to a state. If the object did not change, returns `state` itself.
 *
 * @throws the client's errors if a path can't be looked up
 */
export const toStateAsRead = (observed: Observed, state: StoredState): Resolution<StoredState> =>
  isAsRead(observed, state)
    ? withIdentity(observed.definition, state)
    : continueWith(toState(observed, state.attributes), (live) => withIdentityOf(observed, state, live));

/**
 * Returns the live state. Keeps the identity from the earlier state if the two identities differ only in upper and lower case.
 * Terraform refuses a changed identity.
 */
const withIdentityOf = (
  { definition, identity }: Observed,
  { identity: before }: StoredState,
  live: StoredState,
): StoredState =>
  definition.key?.isAsShown === true && before !== undefined && isIdentityOf(definition, before, identity)
    ? { ...live, identity: before }
    : live;

/** Returns whether a state equals the found object and the private bytes of the state contain exactly the object's references. */
export const isAsRead = (observed: Observed, state: StoredState): boolean =>
  isAsStored(observed, state.attributes) && observed.references.remember() === state.private;

/** Returns whether the stored attributes equal the found object, including the spelling. The comparison sends no request. */
function isAsStored({ definition, identity, found, references }: Observed, stored: ValueObject): boolean {
  const { attributes, container } = definition;
  const observed = found as Readonly<Record<string, Resolved>>;
  const all = comparedOf(attributes);
  const isSame = references.isSuccessful((isUsed) => {
    for (let index = 0; index < all.length; index += 1) {
      const { name, attribute, isSame: isEqual } = all[index]!;
      const value = stored[name];
      if (value === undefined || isUnknown(value)) return false;
      const { presence } = attribute;
      if (presence === "configOnly" || (presence === "managed" && value === null)) {
        if (withDefaults(attribute, value) !== value) return false;
        continue;
      }
      const shown = name === container ? { id: identity.container } : (observed[name] ?? null);
      if (!isEqual(shown, value, isUsed)) return false;
    }
    return true;
  });
  return isSame && stored["id"] === formatId(identity) && hasSize(stored, all.length + 1);
}

function stateOf({ definition, identity, found, references }: Observed, like: ValueObject | undefined) {
  const observed = found as Readonly<Record<string, Resolved>>;
  const attributes: Record<string, Value> = { id: formatId(identity) };
  let isAsBefore = like !== undefined && like["id"] === attributes["id"];
  for (const [name, attribute] of attributeEntries(definition.attributes)) {
    const { presence, type } = attribute;
    const shown = name === definition.container ? { id: identity.container } : (observed[name] ?? null);
    const likeValue = like === undefined || isUnknown(like[name]) ? null : (like[name] ?? null);
    const isUnmanaged = presence === "managed" && like !== undefined && likeValue === null;
    attributes[name] =
      presence === "configOnly" || isUnmanaged
        ? withDefaults(attribute, likeValue)
        : spellValue(type, shown, likeValue, references);
    isAsBefore &&= attributes[name] === like![name];
  }
  // Most objects did not change. For an unchanged object, the stored attributes are returned, which makes later comparisons fast
  // and takes no memory.
  const isSame = isAsBefore && Object.keys(like!).length === Object.keys(attributes).length;
  return withIdentity(definition, {
    attributes: isSame ? like! : attributes,
    private: references.remember(),
  });
}

/**
 * Returns the values before a change, in the spelling of the values after the change. Two paths are equal if the states or
 * look-ups of this run have the same id for both.
 */
export function spelledAlike(
  { definition, lookups: { known } }: ResourceSession,
  before: StoredState,
  after: StoredState,
): ValueObject {
  const remembered = [after, before].map((one) => rememberedIn(one.private).references);
  return spelledLike(definition.attributes, before.attributes, after.attributes, (kind, text) => {
    const id = remembered.map((all) => all.get(`${kind}:${text}`)).find((one) => one !== undefined);
    return id ?? (known.byPath(kind, text) as ReferencedObject | undefined)?.id;
  });
}
