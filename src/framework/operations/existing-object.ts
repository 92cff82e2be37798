import { type Diagnostic, error, warning } from "../../diagnostics";
import { type Attributes, type Declared, once, type ValueObject } from "../../schema";
import { NOT_CACHED } from "../collections/listing";
import type { Found, ResourceDefinition, Scope } from "../definition/definition";
import type { ExistingObject, ObservedBeforeCreate } from "../protocol/protocol";
import { containerOf, formatId, parseId, placeOf } from "./identity";
import { alreadyExists, readableId } from "./object-problems";
import { knownScope, listingScope, type ResourceSession } from "./session";
import { liveNameNotNormalized, nameOf, unlistedName, unnormalizedOf } from "./unnormalized-names";

/** The live objects that block the create of a new object, as the plan found them. */
export interface ExistingObjects {
  readonly diagnostics: readonly Diagnostic[];
  /** The ids of the blocking objects. Several objects of a service can have one key. */
  readonly existing: readonly string[];
}

export const nothingIn = (diagnostics: readonly Diagnostic[]): ExistingObjects => ({
  diagnostics,
  existing: [],
});

/**
 * Returns the ids of objects that do not belong to the state. `plannedObject`, the object that an earlier plan of this run used
 * for the declaration, is also left out.
 */
export const notHeld = (
  { expected }: ResourceSession,
  ids: readonly string[],
  plannedObject: string | undefined,
): string[] => ids.filter((id) => id !== plannedObject && !expected.isHeld(id));

/**
 * Returns the live objects that block a new object and do not belong to the state. The list of the container is read once per
 * run. `plannedObject` is the id of the object that an earlier plan of this run used for the declaration. An object that every
 * container has blocks no create. A definition with `onPlan.create` makes this check itself.
 *
 * @throws the client's errors
 */
export async function existingObjects(
  session: ResourceSession,
  declared: Declared<Attributes>,
  container: number,
  plannedObject: string | undefined,
): Promise<ExistingObjects> {
  const { definition, failures, listed } = session;
  if (definition.key === undefined || definition.onPlan?.create !== undefined) return nothingIn([]);
  // If records move between pages, one read can miss the object, so the list is read twice.
  const scope = listingScope(session, container);
  const unnormalized = async () => unnormalizedOf(definition, await definition.list(scope));
  try {
    // The list is read first, so that `meantBy` finds the object in the cache. If the feature of the container is off, the list
    // responds 404, and `orNothing` means no objects.
    const otherNames = await once(listed, container, () => failures.orNothing(unnormalized()));
    const found = otherNames && (await failures.orNothing(meantBy(definition, scope, declared)));
    if (found !== undefined && found.length > 0) {
      const ids = found.map((one) => formatId(placeOf(definition, container, one)));
      return { existing: notHeld(session, ids, plannedObject), diagnostics: [] };
    }
    const name = nameOf(definition, declared);
    const otherName =
      otherNames?.get(name) ?? (await failures.orNothing(unlistedName(definition, scope, name)));
    return nothingIn(otherName === undefined ? [] : [liveNameNotNormalized(definition, otherName)]);
  } catch (problem) {
    if (!failures.isRefused(problem)) throw problem;
    return nothingIn([notChecked(session, container)]);
  }
}

/** Describes the live object that blocks a new object. @param others the ids of other live objects with the same identity */
export function existingObject(
  session: Pick<ResourceSession, "definition" | "lookups">,
  id: string,
  others: readonly string[],
): ExistingObject {
  if (others.length === 0) return { id, problem: alreadyExists(session, parseId(id)) };
  return { id, isAmbiguous: true, problem: existsSeveralTimes(session, [id, ...others]) };
}

/**
 * Returns the live objects with the key of a declaration. If the service assigns the keys, returns the live objects with the
 * declaration's `unique` text.
 *
 * @throws the client's errors
 */
export async function meantBy(
  { key, list, read }: ResourceDefinition,
  scope: Scope,
  declared: Declared<Attributes>,
): Promise<readonly Found<Attributes>[]> {
  const unique = key?.unique?.(declared);
  if (unique === undefined) {
    const found = await read(scope, key?.of(declared) ?? "");
    return found === undefined ? [] : [found];
  }
  if (key?.alike !== undefined) return key.alike(scope, unique);
  return (await list(scope)).filter((found) => key?.unique?.(found) === unique);
}

function existsSeveralTimes(
  session: Pick<ResourceSession, "definition" | "lookups">,
  ids: readonly string[],
): Diagnostic {
  const { type } = session.definition;
  const names = ids.map((id) => readableId(session, parseId(id)));
  return error({
    code: "already_exists",
    summary: "Several matching objects exist",
    detail: `${names.map((id) => JSON.stringify(id)).join(" and ")} all match this declaration of a ${type.replaceAll("_", " ")}. None of them is in this state. Delete all but one on the service, or import one of them.`,
    action: { kind: "import", id: names[0]! },
    cause: "exists several times",
  });
}

const notChecked = ({ definition, lookups }: ResourceSession, container: number): Diagnostic => {
  const { type, container: kind } = definition;
  return warning({
    code: "existing_not_checked",
    summary: "Existing objects not checked",
    detail: `This token can't list the objects of the ${kind} ${lookups.nameOf(kind, container)}, so Steward does not know whether the ${type.replaceAll("_", " ")} already exists. If it exists, the apply reports an error. To find out now, plan with a token that can list the objects.`,
    cause: `${type} of ${kind} ${container}`,
  });
};

/**
 * Returns the live objects with the identity of a new object, from records that this run has read. Returns undefined if this run
 * has not read the records. Sends no request.
 */
export async function observeBeforeCreate(
  session: ResourceSession,
  declared: Declared<Attributes>,
): Promise<ObservedBeforeCreate | undefined> {
  const { definition } = session;
  const container = containerOf(definition, declared);
  // If every container has one such object, only a definition with `isBegun` needs the result.
  const isOnlyOne = definition.key === undefined;
  if (isOnlyOne && definition.isBegun === undefined) return undefined;
  try {
    const reading = meantBy(definition, knownScope(session, container), declared);
    const found = (await session.failures.orNothing(reading)) ?? [];
    const ids = found.map((one) => formatId(placeOf(definition, container, one)));
    if (!isOnlyOne) return { ids };
    return found[0] && { ids, found: found[0] as ValueObject };
  } catch (problem) {
    if (problem === NOT_CACHED) return undefined;
    throw problem;
  }
}
