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

/** Returns the parts that a declaration or a live object owns. The default is the object itself. */
export const ownershipsOf = (
  definition: ResourceDefinition,
  object: Declared<Attributes> | Found<Attributes>,
): readonly Ownership[] =>
  // A live object can replace its declaration here, because owned parts depend only on key attributes, which are equal in both.
  partsOf(definition, "takes")?.(object as Declared<Attributes>) ?? [
    ownOwnership(definition, definition.key?.of(object)),
  ];

/**
 * Returns the function that lists parts of shared sets for a declaration; undefined if objects of the type own only themselves.
 * `has` selects the parts that exist because of the declaration. `takes` selects the parts that the declaration claims as owner.
 */
function partsOf({ owns }: Pick<ResourceDefinition, "owns">, which: "has" | "takes") {
  const { whole, entries } = owns ?? {};
  const sets = whole && ((declared: Declared<Attributes>) => whole(declared).map((set) => ({ set })));
  return which === "has" ? (entries ?? sets) : (sets ?? entries);
}

const names = new Map<string, string>();

/** Returns a name for the set of all objects of a type. The names are cached, because a run needs one for each object. */
const nameOfSet = (type: string): string => once(names, type, () => type.replaceAll("_", " "));

/**
 * Returns the ownership of an object that owns only itself: the entry with its key, or without a key the whole set of its type.
 */
export const ownOwnership = (
  { type }: Pick<ResourceDefinition, "type">,
  key: string | undefined,
): Ownership => (key === undefined ? { set: nameOfSet(type) } : { set: nameOfSet(type), entry: key });

/**
 * Returns the identity of an object and its parts of shared sets. `has` selects the parts that exist because of the object.
 * `takes` selects the parts that the object claims as owner. The result lacks an identity or parts that are not known.
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

/** Returns owned parts with the container that each part belongs to. */
const sharesIn = (
  { definition: { container: kind } }: Pick<ResourceSession, "definition">,
  container: number,
  owned: readonly Ownership[],
): Share[] => owned.map((one) => shareOf(one, `${kind} ${container}`));

/** Returns the description of an object to destroy: type, address and id. */
export const leavingFrom = (
  address: string | undefined,
  { type }: Pick<ResourceSession, "type">,
  { attributes }: StoredState,
): Leaving => ({ type, address, object: String(attributes["id"]) });

/**
 * Returns a declaration and the id of its container; the id is undefined if the container is unknown. In the declaration, a
 * placeholder replaces each unknown value. Each placeholder differs from all other values.
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

/** Returns a reference that equals no other reference. The id of the reference is negative, and no service uses negative ids. */
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
 * Returns the parts of shared sets that an object owns. The list is empty if objects of the type own only themselves, or if the
 * container is not known. An entry with an unknown target differs from all other entries.
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
    // A declaration of the whole set also owns entries that it does not list, because it removes them.
    return container === undefined ? [] : sharesIn(session, container, parts(declared));
  }
}

/** A declaration whose ownership is registered, with its address if the host knows it. */
type ClaimInPart = Omit<ClaimRequest, "type" | "address"> & { readonly address: string | undefined };

/**
 * Registers the ownership of a declaration with unknown values. Returns errors about parts that another declaration also owns;
 * undefined if the container is unknown. Sends no request.
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
 * Returns the container of a declaration, and the parts that the declaration covers. References that can't be resolved are
 * ignored, because the plan reports them.
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

/** Records all objects of the run before its first change: the objects that stay declared, and the objects to destroy. */
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

/** Records that the run has destroyed or released an object. */
export function release(
  session: ResourceSession,
  state: StoredState,
  address: string | undefined,
  owned: Owned,
): void {
  session.owners.add(owned, { does: "leave", ...leavingFrom(address, session, state), state });
}

/** Records that a declaration stays: its object, its parts of shared sets, and the sets that it owns as a whole. */
function keep(
  { owners }: Pick<ResourceSession, "owners">,
  party: Leaving & { readonly isYetToTake?: boolean },
  held: Owned,
  sets?: Owned,
): void {
  owners.add(held, { does: "stay", ...party });
  if (sets !== undefined) owners.add(sets, { does: "own set", ...party });
}

/** Runs the create or update of an object that stays declared, after all other operations on this object. */
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
 * Returns the identity of a declaration's object with the sets that the declaration owns as a whole. Returns undefined if the
 * type owns only single entries.
 */
async function setsOwnedBy(session: ResourceSession, declared: StoredState): Promise<Owned | undefined> {
  const { whole, entries } = session.definition.owns ?? {};
  return whole && entries && ownedBy(session, declared, "takes");
}
