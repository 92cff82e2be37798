import { type Diagnostic, error, warning } from "../../diagnostics";
import type { Attributes, Declared } from "../../schema";
import type { Found, ResourceDefinition, Scope } from "../definition/definition";
import type { ExistingObject } from "../protocol/protocol";
import { formatId, parseId, type Session, scopeOf } from "./session";
import { liveNameNotNormalized, nameOf, unlistedName, unnormalizedOf } from "./unnormalized-names";
import { alreadyExists } from "./write-problems";

/** What a plan finds in the place of a new object. */
export interface Place {
  /** The ids of the live objects in it; several only where the service does not keep their keys apart. */
  readonly ids: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The live objects in the place of a new one, without those that the state is known to hold. Reads the list of the container
 * once per run. `plannedObject` is the one that the declaration was planned with before. Objects that a container always has are no obstacle; a definition with `onPlan.create` looks itself.
 *
 * @throws the client's errors
 */
export async function existingObjects(
  definition: ResourceDefinition,
  session: Session,
  declared: Declared<Attributes>,
  container: number,
  plannedObject: string | undefined,
): Promise<Place> {
  if (definition.key === undefined || definition.onPlan?.create !== undefined)
    return { ids: [], diagnostics: [] };
  try {
    const place = await lookAt(definition, session, declared, container);
    if (place.otherName !== undefined)
      return { ids: [], diagnostics: [liveNameNotNormalized(definition, place.otherName)] };
    const ids = place.found.map((found) => formatId({ container, key: definition.key!.of(found) }));
    const isOwn = (id: string) => id === plannedObject || session.expected.isHeld(definition, id);
    return { ids: ids.filter((id) => !isOwn(id)), diagnostics: [] };
  } catch (problem) {
    if (!session.failures.isRefused(problem)) throw problem;
    return { ids: [], diagnostics: [notChecked(definition, container)] };
  }
}

/** The live object in the place of a new one, by the ids of those that are there. */
export function existingObject(
  definition: ResourceDefinition,
  ids: readonly string[],
): ExistingObject | undefined {
  const [id, ...others] = ids;
  if (id === undefined) return undefined;
  if (others.length === 0) return { id, problem: alreadyExists(definition, parseId(id)) };
  return { id, isAmbiguous: true, problem: existsSeveralTimes(definition, ids) };
}

/** What a list has in the place of a declaration. */
interface Looked {
  readonly found: readonly Found<Attributes>[];
  /** A live name that differs from the declared one by normalization alone, if nothing has the declared one. */
  readonly otherName?: string | undefined;
}

/** The live objects in the place of a declaration. Where the feature is off, there are none. */
async function lookAt(
  definition: ResourceDefinition,
  session: Session,
  declared: Declared<Attributes>,
  container: number,
): Promise<Looked> {
  const { failures, listed } = session;
  const scope = scopeOf(definition, session, container);
  const key = definition.key!;
  // Once the list was read, no object is asked for alone.
  const place = `${definition.type} ${container}`;
  const list = listed.get(place) ?? failures.orNothing(unnormalizedIn(definition, scope));
  listed.set(place, list);
  const otherNames = await list;
  const name = nameOf(definition, declared);
  const found = otherNames === undefined ? [] : await inPlace();
  if (found.length > 0) return { found };
  const otherName =
    otherNames?.get(name) ?? (await failures.orNothing(unlistedName(definition, scope, name)));
  return { found, otherName };

  async function inPlace(): Promise<readonly Found<Attributes>[]> {
    if (key.unique !== undefined) return (await failures.orNothing(alike(definition, scope, name))) ?? [];
    const one = await failures.orNothing(definition.read(scope, key.of(declared)));
    return one === undefined ? [] : [one];
  }
}

/** @throws the client's errors */
const unnormalizedIn = async (definition: ResourceDefinition, scope: Scope) =>
  unnormalizedOf(definition, await definition.list(scope));

/** The live objects with a unique text, of a resource whose keys the service assigns. @throws the client's errors */
export async function alike(
  { key, list }: ResourceDefinition,
  scope: Scope,
  unique: string,
): Promise<readonly Found<Attributes>[]> {
  if (key!.alike !== undefined) return key!.alike(scope, unique);
  return (await list(scope)).filter((found) => key!.unique!(found) === unique);
}

const existsSeveralTimes = ({ type }: ResourceDefinition, ids: readonly string[]): Diagnostic =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail:
      `${ids.map((id) => JSON.stringify(id)).join(" and ")} are each the ${type.replaceAll("_", " ")} of this declaration, and ` +
      "not in this state: which one is meant is not known. Delete all but one on the service, or import one of them.",
    action: { kind: "import", id: ids[0]! },
    cause: "exists several times",
  });

const notChecked = ({ type, container: kind }: ResourceDefinition, container: number): Diagnostic =>
  warning({
    code: "existing_not_checked",
    summary: "Existing objects can't be listed",
    detail:
      `Whether the ${type.replaceAll("_", " ")} exists already is not known: this token may not list those of the ${kind} ` +
      `${container}. The apply reports an error if it does. To find out now, plan with a token that can list them.`,
    cause: `${type} of ${kind} ${container}`,
  });
