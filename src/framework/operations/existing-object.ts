import { type Diagnostic, error, warning } from "../../diagnostics";
import { type Attributes, attributeEntries, type Declared, isUnknown, type ValueObject } from "../../schema";
import { NOT_CACHED } from "../collections/live-collection";
import type { Found, ResourceDefinition, Scope } from "../definition/definition";
import type {
  ExistingObject,
  ObservedBeforeCreate,
  ReplacedRequest,
  ReplacedValues,
} from "../protocol/protocol";
import { References } from "../references/references";
import { formatId, parseId, type ResourceSession, scopeOf } from "./session";
import { containerOf, toState } from "./state";
import { liveNameNotNormalized, nameOf, unlistedName, unnormalizedOf } from "./unnormalized-names";
import { failureReason } from "./unreadable-object";
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
  session: ResourceSession,
  declared: Declared<Attributes>,
  container: number,
  plannedObject: string | undefined,
): Promise<Place> {
  const { definition } = session;
  if (definition.key === undefined || definition.onPlan?.create !== undefined)
    return { ids: [], diagnostics: [] };
  try {
    const place = await lookAt(session, declared, container);
    if (place.otherName !== undefined)
      return { ids: [], diagnostics: [liveNameNotNormalized(definition, place.otherName)] };
    const ids = place.found.map((found) => formatId({ container, key: definition.key!.of(found) }));
    const isOwn = (id: string) => id === plannedObject || session.expected.isHeld(id);
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
  session: ResourceSession,
  declared: Declared<Attributes>,
  container: number,
): Promise<Looked> {
  const { definition, failures, listed } = session;
  const scope = scopeOf(session, container);
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

/**
 * The objects in the place of a new one, as far as this run has read them; it sends no request. Undefined if
 * that is unknown.
 */
export async function observeBeforeCreate(
  session: ResourceSession,
  declared: Declared<Attributes>,
): Promise<ObservedBeforeCreate | undefined> {
  const { definition } = session;
  const { key } = definition;
  const container = containerOf(definition, declared);
  const scope = knownScope(session, container);
  try {
    if (key === undefined) return await withoutConfigOnly(definition, scope);
    if (key.unique === undefined) {
      const found = await session.failures.orNothing(definition.read(scope, key.of(declared)));
      return { ids: found === undefined ? [] : [formatId({ container, key: key.of(declared) })] };
    }
    const found = await alike(definition, scope, key.unique(declared));
    return { ids: found.map((one) => formatId({ container, key: key.of(one) })) };
  } catch (problem) {
    if (problem === NOT_CACHED) return undefined;
    throw problem;
  }
}

/** An object that a container always has matters only if it may be partly created. */
async function withoutConfigOnly(
  definition: ResourceDefinition,
  scope: Scope,
): Promise<ObservedBeforeCreate | undefined> {
  if (definition.isBegun === undefined) return undefined;
  const found = await definition.read(scope, "");
  return found && { ids: [formatId({ container: scope.container, key: "" })], found: found as ValueObject };
}

/** The attributes that an interrupted create may have written, if it takes several writes. */
export const isPartlyCreated = (
  { isBegun }: ResourceDefinition,
  declared: Declared<Attributes>,
  found: Found<Attributes>,
  before: ObservedBeforeCreate | undefined,
): boolean =>
  before?.found !== undefined &&
  (isBegun?.(declared, found, before.found as unknown as Found<Attributes>) ?? false);

/** A scope in which every request throws `NOT_CACHED`. */
export function knownScope(session: ResourceSession, container: number): Scope {
  return {
    ...scopeOf(session, container),
    api: SILENT,
    collection: (wanted) => session.collections.of(container, wanted).asKnown(),
  };
}

const SILENT = new Proxy(
  {},
  {
    get: () => {
      throw NOT_CACHED;
    },
  },
);

/**
 * The live values that creating a setting replaces. Only a container's own settings exist without a create: of all other
 * objects, and while the container is not known, there is nothing to replace.
 */
export async function replacedValues(
  session: ResourceSession,
  { config, private: remembered }: ReplacedRequest,
): Promise<ReplacedValues | undefined> {
  const { definition } = session;
  const { container: kind, key } = definition;
  const name = config[kind];
  if (key !== undefined || !session.isConnected || typeof name !== "string") return undefined;
  const declared = declaredSettings(definition, config);
  if (declared.length === 0) return undefined;
  const references = new References(session.lookups, remembered);
  try {
    const { id: container } = await references.resolve(kind, name, [kind]);
    const found = await definition.read(scopeOf(session, container), "");
    if (found === undefined) return undefined;
    const like = Object.fromEntries(Object.entries(config).filter(([, value]) => !isUnknown(value)));
    const { attributes } = await toState(definition, { container, key: "" }, found, like, references);
    return { live: Object.fromEntries(declared.map((one) => [one, attributes[one] ?? null])) };
  } catch (problem) {
    return { why: failureReason(session, problem) };
  }
}

/** The attributes that a configuration sets on the service. */
const declaredSettings = ({ attributes, container }: ResourceDefinition, config: ValueObject): string[] =>
  attributeEntries(attributes)
    .filter(
      ([name, { presence }]) => presence !== "computed" && presence !== "configOnly" && name !== container,
    )
    .map(([name]) => name)
    .filter((name) => (config[name] ?? null) !== null);
