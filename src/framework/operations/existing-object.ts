import { type Diagnostic, error, warning } from "../../diagnostics";
import { type Attributes, type Declared, once, type ValueObject } from "../../schema";
import { NOT_CACHED } from "../collections/listing";
import type { Found, ResourceDefinition, Scope } from "../definition/definition";
import type { ExistingObject, ObservedBeforeCreate } from "../protocol/protocol";
import { containerOf, formatId, parseId, placeOf } from "./identity";
import { alreadyExists, readableId } from "./object-problems";
import { knownScope, listingScope, type ResourceSession } from "./session";
import { liveNameNotNormalized, nameOf, unlistedName, unnormalizedOf } from "./unnormalized-names";

/** The live objects that block a new object, as a plan finds them. */
export interface ExistingObjects {
  readonly diagnostics: readonly Diagnostic[];
  /** The ids of the live objects. A service may keep several objects under one key. */
  readonly existing: readonly string[];
}

export const nothingIn = (diagnostics: readonly Diagnostic[]): ExistingObjects => ({
  diagnostics,
  existing: [],
});

/**
 * Returns the given ids without the ids that the state is known to hold. It also leaves out `plannedObject`, the
 * object that an earlier plan of this run used for the declaration.
 */
export const notHeld = (
  { expected }: ResourceSession,
  ids: readonly string[],
  plannedObject: string | undefined,
): string[] => ids.filter((id) => id !== plannedObject && !expected.isHeld(id));

/**
 * Finds the live objects that block a new object, without the objects that the state is known to hold. It reads
 * the list of the container once per run. `plannedObject` is the id of the object that an earlier plan of this run
 * used for the declaration. Objects that every container has do not block a create. A definition with
 * `onPlan.create` makes this check itself.
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
  // If records move between pages, a single read may miss the object, so the list is read twice.
  const scope = listingScope(session, container);
  const unnormalized = async () => unnormalizedOf(definition, await definition.list(scope));
  try {
    // This reads the list first, so that `meantBy` finds the object in the cache. `orNothing` is needed for a
    // container whose feature is off: its list responds 404, and it has no objects.
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

/** Describes the live object that blocks a new object. @param others the ids of other live objects with its identity */
export function existingObject(
  session: Pick<ResourceSession, "definition" | "lookups">,
  id: string,
  others: readonly string[],
): ExistingObject {
  if (others.length === 0) return { id, problem: alreadyExists(session, parseId(id)) };
  return { id, isAmbiguous: true, problem: existsSeveralTimes(session, [id, ...others]) };
}

/**
 * Returns the live objects that a declaration means: the objects with its key, or with its `unique` text if the
 * service assigns the keys.
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
 * Returns the live objects with the identity of a new object, as far as this run has read them. Sends no
 * request. Returns undefined if the objects are not known.
 */
export async function observeBeforeCreate(
  session: ResourceSession,
  declared: Declared<Attributes>,
): Promise<ObservedBeforeCreate | undefined> {
  const { definition } = session;
  const container = containerOf(definition, declared);
  // For an object that every container has, only a definition with `isBegun` needs the result.
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
