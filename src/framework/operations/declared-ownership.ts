import { type Diagnostic, error } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  continueWith,
  type Declared,
  isUnknown,
  isWhollyKnown,
  once,
  type Resolution,
  reference,
  withRecovery,
} from "../../schema";
import { NOT_CACHED } from "../collections/listing";
import type { Found, ResourceDefinition } from "../definition/definition";
import {
  exclusively,
  type Leaving,
  type Owned,
  type Ownership,
  registerClaims,
  type Share,
  shareOf,
} from "../ownership/owners";
import type {
  ApplyResponse,
  ClaimRequest,
  CoverResponse,
  DeclaredObject,
  LeavingObject,
  OwnsRequest,
  StayingObject,
  StoredState,
} from "../protocol/protocol";
import type { KnownPaths } from "../references/lookups";
import type { Resolved } from "../references/normalize";
import { ReferenceNotFound, References } from "../references/references";
import {
  containerOf,
  declaredPart,
  identified,
  identify,
  identityOf,
  parseId,
  referencesOf,
} from "./identity";
import { type ResourceSession, scopeOf } from "./session";
import { resolveDeclared } from "./state";

/** Returns the parts that a declaration or a live object owns. By default, an object owns only itself. */
export const ownershipsOf = (
  definition: ResourceDefinition,
  object: Declared<Attributes> | Found<Attributes>,
): readonly Ownership[] =>
  // A live object can be used as a declaration here: the owned parts depend only on key attributes, which are
  // equal in both.
  partsOf(definition, "takes")?.(object as Declared<Attributes>) ?? [
    ownOwnership(definition, definition.key?.of(object)),
  ];

/**
 * Returns the function that lists the parts of shared sets for a declaration of this type. `has`: the parts that
 * exist because of the declaration. `takes`: the parts that it claims as their owner. Undefined if objects of the
 * type own only themselves.
 */
function partsOf({ owns }: Pick<ResourceDefinition, "owns">, which: "has" | "takes") {
  const { whole, entries } = owns ?? {};
  const sets = whole && ((declared: Declared<Attributes>) => whole(declared).map((set) => ({ set })));
  return which === "has" ? (entries ?? sets) : (sets ?? entries);
}

const names = new Map<string, string>();

/** Returns the name of the set that all objects of a type form. The cache avoids a new text for each object. */
const nameOfSet = (type: string): string => once(names, type, () => type.replaceAll("_", " "));

/** Returns the ownership of an object that owns only itself, by its key. */
export const ownOwnership = (
  { type }: Pick<ResourceDefinition, "type">,
  key: string | undefined,
): Ownership => (key === undefined ? { set: nameOfSet(type) } : { set: nameOfSet(type), entry: key });

/**
 * Returns the identity of an object and its parts of shared sets, to compare them with all other objects. `has`
 * selects the parts that the object holds. `takes` selects the parts that a destroy removes. The identity or the
 * parts are missing while they are not known.
 */
export const ownedBy = (
  session: ResourceSession,
  object: StoredState,
  which: "has" | "takes",
): Resolution<Owned> =>
  continueWith(identify(session, object), (identity) => {
    const parts = identity === undefined ? undefined : partsOf(session.definition, which);
    if (parts === undefined) return { identity };
    return withRecovery<Owned>(
      () =>
        identified(session, object, (declared, { container }) => ({
          identity,
          shares: sharesIn(session, container, parts(declared)),
        })),
      (problem) => {
        if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
        return { identity };
      },
    );
  });

/** Returns the owned parts together with their container. */
const sharesIn = (
  { definition: { container: kind } }: Pick<ResourceSession, "definition">,
  container: number,
  owned: readonly Ownership[],
): Share[] => owned.map((one) => shareOf(one, `${kind} ${container}`));

/** Describes an object to destroy, with its address. */
export const leavingFrom = (
  address: string | undefined,
  { type }: Pick<ResourceSession, "type">,
  { attributes }: StoredState,
): Leaving => ({ type, address, object: String(attributes["id"]) });

/**
 * Returns a declaration in which a unique placeholder replaces each unknown value, so that it equals no other
 * value. It also returns the container, if it is known.
 */
function declaredInPart(
  { definition, lookups }: ResourceSession,
  { attributes, private: remembered }: StoredState,
) {
  const references = new References(orUnknown(lookups.known), remembered);
  const declared = declaredPart(definition, attributes, references, placeholder);
  const { id } = attributes;
  const container = typeof id === "string" ? parseId(id).container : containerOf(definition, declared);
  return { declared, container: container < 0 ? undefined : container };
}

let unknowns = 0;

/** A reference with a negative id, which no service uses, so it equals no other reference. */
const unknownReference = () => reference(-++unknowns);

function placeholder({ type }: Attribute): Resolved {
  if (type.kind === "reference") return unknownReference();
  if (type.kind === "string") return `(unknown ${++unknowns})`;
  return type.kind === "set" || type.kind === "list" ? [] : null;
}

const orUnknown = (known: KnownPaths): KnownPaths => ({
  byId: (kind, id) => known.byId(kind, id),
  byPath: (kind, path) => known.byPath(kind, path) ?? { ...unknownReference(), path },
});

/**
 * Returns the parts of shared sets that an object owns. Returns none if the type owns only itself, or if the
 * container is not known yet. An entry whose target is unknown counts as different from all other entries.
 */
export async function ownedShares(
  session: ResourceSession,
  { attributes, private: remembered, isCacheOnly = false, part }: OwnsRequest,
): Promise<readonly Share[]> {
  const { definition, lookups, failures } = session;
  const parts = partsOf(definition, part ?? "takes");
  if (parts === undefined || !session.isConnected) return [];
  const source = { definition, lookups: isCacheOnly ? lookups.known : lookups };
  const object = { attributes, private: remembered };
  try {
    return await identified(source, object, (declared, { container }) =>
      sharesIn(session, container, parts(declared)),
    );
  } catch (problem) {
    if (problem !== NOT_CACHED) failures.throwUnlessFailure(problem);
    const { declared, container } = declaredInPart(session, object);
    // A declaration that owns the whole set also owns the entries that it does not list.
    return container === undefined ? [] : sharesIn(session, container, parts(declared));
  }
}

/** A declaration, with its address if the host knows it. */
type ClaimInPart = Omit<ClaimRequest, "type" | "address"> & { readonly address: string | undefined };

/**
 * Registers the ownership of a declaration that this run does not know completely, and reports parts that another
 * declaration also owns. It sends no request. Undefined if the container is not known.
 */
export function claimOwnership(
  session: ResourceSession,
  { address, object, ...declaration }: ClaimInPart,
): readonly Diagnostic[] | undefined {
  const { definition } = session;
  const { declared, container } = declaredInPart(session, declaration);
  if (container === undefined) return undefined;
  return registerClaims(
    session.owners,
    { type: session.type, address, object, isPlannedAgain: object !== undefined },
    {
      kind: definition.container,
      id: container,
      name: session.lookups.nameOf(definition.container, container),
    },
    ownershipsOf(definition, declared),
  );
}

/**
 * Returns the container of a declaration, and the live parts that it owns. It ignores references that can't be
 * resolved, because the plan reports them.
 */
export async function coveredBy(
  session: ResourceSession,
  { type, config, state }: DeclaredObject,
): Promise<CoverResponse> {
  const { definition } = session;
  const { container: kind } = definition;
  const values = state?.attributes ?? config;
  if (state === undefined && (isUnknown(values[kind]) || !isWhollyKnown(values)))
    return { shares: [], diagnostics: [] };
  try {
    const references = referencesOf(session, state);
    const object = await resolveDeclared(definition, values, references);
    const id = state === undefined ? containerOf(definition, object) : identityOf(state).container;
    const key = state === undefined ? definition.key?.of(object) : identityOf(state).key;
    const listedKey = await definition.listedKey?.(scopeOf(session, id), object);
    const own = [key, listedKey]
      .filter((one) => one !== undefined)
      .map((one) => ownOwnership(definition, one));
    const shares = sharesIn(session, id, [...own, ...ownershipsOf(definition, object)]);
    return { container: { kind, id }, shares, diagnostics: [] };
  } catch (problem) {
    if (problem instanceof ReferenceNotFound) return { shares: [], diagnostics: [] };
    const diagnostics = session.failures.toDiagnostics(problem).map((one) =>
      error({
        ...one,
        detail: `Coverage of ${type} ${String(values["id"] ?? "")} was not checked. ${one.detail}`,
      }),
    );
    return { shares: [], diagnostics };
  }
}

/** Records before the first change which objects stay declared, and which are destroyed. */
export async function expectChanges(
  byType: (type: string) => ResourceSession,
  staying: readonly StayingObject[],
  leaving: readonly LeavingObject[],
): Promise<void> {
  for (const { type, address, object, planned, isElsewhere } of staying) {
    const session = byType(type);
    const stays = { type, address, object, isYetToTake: isElsewhere === true && object === undefined };
    const sets = isElsewhere ? undefined : await setsOwnedBy(session, planned);
    keep(session, stays, await ownedBy(session, planned, "has"), sets);
  }
  for (const { type, address, ...prior } of leaving) {
    const session = byType(type);
    release(session, prior, address, await ownedBy(session, prior, "takes"));
  }
}

/** Records an object that the run destroys or has released. */
export function release(
  session: ResourceSession,
  state: StoredState,
  address: string | undefined,
  owned: Owned,
): void {
  session.owners.add(owned, { does: "leave", ...leavingFrom(address, session, state), state });
}

/**
 * Records the result of the run for a declaration: its object, its parts of shared sets, and the sets that it owns
 * as a whole.
 */
function keep(
  { owners }: Pick<ResourceSession, "owners">,
  party: Leaving & { readonly isYetToTake?: boolean },
  held: Owned,
  sets?: Owned,
): void {
  owners.add(held, { does: "stay", ...party });
  if (sets !== undefined) owners.add(sets, { does: "own set", ...party });
}

/** Creates or updates an object that stays declared. It waits for other operations on the same object. */
export async function holding(
  session: ResourceSession,
  { declared, address, object }: { declared: StoredState; address: string | undefined; object?: string },
  work: () => Promise<ApplyResponse>,
): Promise<ApplyResponse> {
  const { type } = session;
  const held = await ownedBy(session, declared, "has");
  const { identity } = held;
  if (identity === undefined) return work();
  keep(session, { type, address, object }, held, await setsOwnedBy(session, declared));
  return exclusively(session, identity, async () => {
    const answer = await work();
    const made = answer.state?.attributes["id"];
    if (object === undefined && made !== undefined)
      keep(session, { type, address, object: String(made) }, held);
    return answer;
  });
}

/**
 * Returns the sets that a declaration owns as a whole, and the id of its object. Returns undefined if its type
 * owns only single entries.
 */
async function setsOwnedBy(session: ResourceSession, declared: StoredState): Promise<Owned | undefined> {
  const { whole, entries } = session.definition.owns ?? {};
  return whole && entries && ownedBy(session, declared, "takes");
}
