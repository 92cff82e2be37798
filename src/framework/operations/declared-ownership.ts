import { type Diagnostic, error } from "../../diagnostics";
import {
  type Attribute,
  type Attributes,
  attributeEntries,
  type Declared,
  isUnknown,
  isWhollyKnown,
  once,
  reference,
  withDefaults,
} from "../../schema";
import { NOT_CACHED } from "../collections/live-collection";
import type { Found, ResourceDefinition } from "../definition/definition";
import { type Ownership, type Share, shareOf } from "../ownership/ownership";
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
import { type Resolution, settle, whenKnown } from "../protocol/resolution";
import type { KnownPaths } from "../references/lookups";
import { type Resolved, resolveValue } from "../references/normalize";
import { ReferenceNotFound, References } from "../references/references";
import { identified, identify } from "./identify";
import { identityOf, parseId, referencesOf, type Session, scopeOf } from "./session";
import { containerOf, resolveDeclared } from "./state";

/** What a declaration or a live object owns: by default the object itself. */
export const ownershipsOf = (
  definition: ResourceDefinition,
  object: Declared<Attributes> | Found<Attributes>,
): readonly Ownership[] =>
  // Ownership depends on the attributes of the key, which a live object returns as declared.
  partsOf(definition, "takes")?.(object as Declared<Attributes>) ?? [
    ownOwnership(definition, definition.key?.of(object)),
  ];

/** What of shared sets a declaration has because of itself, or takes as its own; undefined if its type owns only itself. */
function partsOf(
  { owns }: Pick<ResourceDefinition, "owns">,
  which: "has" | "takes",
): ((declared: Declared<Attributes>) => readonly Ownership[]) | undefined {
  const { whole, entries } = owns ?? {};
  const sets = whole && ((declared: Declared<Attributes>) => whole(declared).map((set) => ({ set })));
  return which === "has" ? (entries ?? sets) : (sets ?? entries);
}

const names = new Map<string, string>();

/** Types are few, and objects many. */
const nameOfSet = (type: string): string => once(names, type, () => type.replaceAll("_", " "));

/** The ownership of one object by its key. */
export const ownOwnership = (
  { type }: Pick<ResourceDefinition, "type">,
  key: string | undefined,
): Ownership => (key === undefined ? { set: nameOfSet(type) } : { set: nameOfSet(type), entry: key });

/**
 * What to compare with all other objects: its identity, and the parts of shared sets that it holds, or
 * removes when it is destroyed. Undefined if that is not known yet.
 */
export const sharesOf = (
  definition: ResourceDefinition,
  session: Session,
  object: StoredState,
  which: "has" | "takes",
): Resolution<readonly Share[]> =>
  whenKnown(identify(definition, session, { type: definition.type, ...object }), (identity) => {
    if (identity === undefined) return [];
    const own: Share = { place: identity };
    const parts = partsOf(definition, which);
    if (parts === undefined) return [own];
    return settle<readonly Share[]>(
      () =>
        identified(definition, session, object, (declared, { container }) => [
          own,
          ...parts(declared).map((part) => shareOf(part, `${definition.container} ${container}`)),
        ]),
      (problem) => {
        if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
        return [own];
      },
    );
  });

/** A declaration in which everything unknown differs from all else. */
function declaredInPart(
  { attributes }: ResourceDefinition,
  { lookups }: Pick<Session, "lookups">,
  { attributes: values, private: remembered }: StoredState,
): Readonly<Record<string, Resolved>> {
  const references = new References(orUnknown(lookups.known), remembered);
  const declared = attributeEntries(attributes)
    .filter(([, { presence }]) => presence !== "computed")
    .map(([name, attribute]) => {
      const value = withDefaults(attribute, values[name] ?? null);
      const isKnown = isWhollyKnown(value) && (value !== null || attribute.presence !== "required");
      return [
        name,
        isKnown ? resolveValue(attribute.type, value, references, [name]) : placeholder(attribute),
      ];
    });
  return Object.fromEntries(declared);
}

let unknowns = 0;

/** No service has such an id. */
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

/** The container of such a declaration; undefined if it is not known. */
function containerInPart(
  { container }: ResourceDefinition,
  { attributes: { id } }: StoredState,
  declared: Readonly<Record<string, Resolved>>,
): number | undefined {
  return typeof id === "string" ? parseId(id).container : idIn(declared[container]);
}

function idIn(resolved: Resolved | undefined): number | undefined {
  const { id } = Object(resolved) as { readonly id?: number };
  return id !== undefined && id > 0 ? id : undefined;
}

/**
 * The parts of shared sets that an object owns; none if its type owns only itself, or if its container is not known yet. An
 * entry whose target is not known yet differs from all others.
 */
export async function ownedShares(
  definition: ResourceDefinition,
  session: Session,
  { attributes, private: remembered, isCacheOnly = false, part }: OwnsRequest,
): Promise<readonly Share[]> {
  const { container: kind } = definition;
  const parts = partsOf(definition, part === "has" ? "has" : "takes");
  if (parts === undefined || !session.isConnected) return [];
  const known = { lookups: isCacheOnly ? session.lookups.known : session.lookups };
  try {
    return await identified(
      definition,
      known,
      { attributes, private: remembered },
      (declared, { container }) => parts(declared).map((owned) => shareOf(owned, `${kind} ${container}`)),
    );
  } catch (problem) {
    if (problem !== NOT_CACHED) session.failures.throwUnlessFailure(problem);
    const object = { attributes, private: remembered };
    const declared = declaredInPart(definition, session, object);
    const container = containerInPart(definition, object, declared);
    if (container === undefined) return [];
    // All of a set is owned whichever entries are wanted.
    return parts(declared as Declared<Attributes>).map((owned) => shareOf(owned, `${kind} ${container}`));
  }
}

/** A declaration, with its address if the host knows it. */
type ClaimInPart = Omit<ClaimRequest, "type" | "address"> & { readonly address: string | undefined };

/**
 * Registers what a declaration owns of which this run does not know everything, and reports what another declaration
 * owns too. Sends no request; undefined if its container is not known.
 */
export function claimOwnership(
  definition: ResourceDefinition,
  session: Session,
  { address, object, ...declaration }: ClaimInPart,
): readonly Diagnostic[] | undefined {
  const declared = declaredInPart(definition, session, declaration);
  const container = containerInPart(definition, declaration, declared);
  if (container === undefined) return undefined;
  return session.claims.register(
    { resource: session.typeOf(definition), address, object, isPlannedAgain: object !== undefined },
    `${definition.container} ${container}`,
    ownershipsOf(definition, declared as Declared<Attributes>),
  );
}

/**
 * The container of a declaration, and what of the live objects it owns. The plan reports references that can't be
 * resolved.
 */
export async function coveredBy(
  definition: ResourceDefinition,
  session: Session,
  { type, config, state }: DeclaredObject,
): Promise<CoverResponse> {
  const { container: kind } = definition;
  const values = state?.attributes ?? config;
  if (state === undefined && (isUnknown(values[kind]) || !isWhollyKnown(values)))
    return { shares: [], diagnostics: [] };
  try {
    const references = referencesOf(definition, session, state);
    const object = await resolveDeclared(definition, values, references);
    const id = state === undefined ? containerOf(definition, object) : identityOf(state).container;
    const key = state === undefined ? definition.key?.of(object) : identityOf(state).key;
    const listedKey = await definition.listedKey?.(scopeOf(definition, session, id), object);
    const own = [key, listedKey]
      .filter((one) => one !== undefined)
      .map((one) => ownOwnership(definition, one));
    const place = `${kind} ${id}`;
    const shares = [...own, ...ownershipsOf(definition, object)].map((one) => shareOf(one, place));
    return { container: { kind, id }, shares, diagnostics: [] };
  } catch (problem) {
    if (problem instanceof ReferenceNotFound) return { shares: [], diagnostics: [] };
    const diagnostics = session.failures
      .toDiagnostics(problem)
      .map((one) =>
        error({ ...one, detail: `Coverage of ${type} ${String(values["id"] ?? "")}: ${one.detail}` }),
      );
    return { shares: [], diagnostics };
  }
}

/** Records before the first change which objects stay declared, and which are destroyed. */
export async function expectChanges(
  session: Session,
  byType: (type: string) => ResourceDefinition,
  staying: readonly StayingObject[],
  leaving: readonly LeavingObject[],
): Promise<void> {
  for (const { type, address, object, planned, isElsewhere } of staying) {
    const { held, owns } = await heldBy(byType(type), session, planned);
    const isYetToTake = isElsewhere === true && object === undefined;
    session.holdings.hold({ type, address, object, isYetToTake }, held, isElsewhere ? [] : owns);
  }
  for (const { type, address, ...prior } of leaving) {
    session.holdings.release({ address }, await sharesOf(byType(type), session, prior, "takes"));
  }
}

/** Creates or updates an object that stays, one at a time. */
export async function holding(
  definition: ResourceDefinition,
  session: Session,
  { declared, address, object }: { declared: StoredState; address: string | undefined; object?: string },
  work: () => Promise<ApplyResponse>,
): Promise<ApplyResponse> {
  const type = session.typeOf(definition);
  const { held, owns } = await heldBy(definition, session, declared);
  const [own] = held;
  if (own === undefined) return work();
  session.holdings.hold({ type, address, object }, held, owns);
  return session.holdings.exclusively(own.place, async () => {
    const answer = await work();
    const made = answer.state?.attributes["id"];
    if (object === undefined && made !== undefined)
      session.holdings.hold({ type, address, object: String(made) }, held, []);
    return answer;
  });
}

/** What a declaration holds, and the sets that it owns as a whole. */
async function heldBy(definition: ResourceDefinition, session: Session, declared: StoredState) {
  const { whole, entries } = definition.owns ?? {};
  return {
    held: await sharesOf(definition, session, declared, "has"),
    owns: whole && entries ? await sharesOf(definition, session, declared, "takes") : [],
  };
}
