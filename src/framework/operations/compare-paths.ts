import type { Diagnostic } from "../../diagnostics";
import {
  attributeEntries,
  continueWith,
  isNumericId,
  isUnknown,
  memoize,
  once,
  type Resolution,
  type ValueObject,
} from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import { diagnosticOf, type HeldReference, type Meaning } from "../references/meaning";
import { pathsIn } from "../references/normalize";
import { ReferenceNotFound } from "../references/references";
import { rememberedIn } from "../references/remembered";
import { identityOf } from "./identity";
import type { ResourceSession } from "./session";

// A path can come to mean another object (decision record 0047). The private bytes of a state therefore contain the id for each
// applied path, and a read compares these paths with the service. Plans and drift reports contain the declared paths with another
// id.

const NONE: readonly Diagnostic[] = [];

/** Returns the ids of the paths in an object's attributes at the time of the last apply, by kind and path. */
function heldBy(
  { definition: { container } }: Pick<ResourceSession, "definition">,
  state: StoredState,
): ReadonlyMap<string, number> {
  const { references } = rememberedIn(state.private);
  const text = state.attributes[container];
  const { container: id } = identityOf(state);
  if (typeof text !== "string" || isNumericId(text) || !Number.isSafeInteger(id)) return references;
  const name = `${container}:${text}`;
  return references.get(name) === id ? references : new Map([...references, [name, id]]);
}

/**
 * Starts to compare the path of an object's container with the service, before the object is read. All objects of the container
 * share one comparison, and their reads wait for it.
 */
export function compareContainer(session: ResourceSession, state: StoredState): Resolution<unknown> {
  const { container: kind } = session.definition;
  const text = state.attributes[kind];
  const { container: id } = identityOf(state);
  if (typeof text !== "string" || isNumericId(text) || !Number.isSafeInteger(id)) return undefined;
  const compared = session.lookups.compare(kind, text, id);
  // If the read of the object fails first, the comparison is never awaited. The failure of such a comparison must not end the
  // process.
  if (compared instanceof Promise) compared.catch(() => undefined);
  return compared;
}

/** An object whose current path differs from its path in the state. */
interface MovedPath {
  readonly kind: string;
  readonly path: string;
  readonly id: number;
}

const NONE_MOVED: readonly MovedPath[] = [];

/**
 * Compares every path of a state with the service, once per run. Returns the current paths of objects that moved to another path.
 *
 * @throws the client's errors
 */
export function compareHeld(session: ResourceSession, state: StoredState): Resolution<readonly MovedPath[]> {
  const { lookups } = session;
  const held = heldBy(session, state);
  if (lookups.isQuiet(state.private) && held === rememberedIn(state.private).references) return NONE_MOVED;
  const compared: Resolution<readonly [string, number, Meaning]>[] = [];
  for (const [name, id] of held) {
    const { kind, text } = partsOf(name);
    compared.push(continueWith(lookups.compare(kind, text, id), (meaning) => [name, id, meaning] as const));
  }
  return continueWith(allOf(compared), (all) => keepUnsettled(session, state, all));
}

type Compared = readonly (readonly [string, number, Meaning])[];

/** Combines several results to one. Returns a promise only if one of the results is a promise. */
const allOf = <T>(all: readonly Resolution<T>[]): Resolution<readonly T[]> =>
  all.some((one) => one instanceof Promise) ? Promise.all(all) : (all as readonly T[]);

/**
 * Records the paths that no longer mean their recorded objects. A plan without a prior state needs this record, for example for
 * an object that has vanished. Returns the current paths of objects that moved to another path.
 */
function keepUnsettled(session: ResourceSession, { attributes }: StoredState, compared: Compared) {
  const differing = compared.filter(([, , { is }]) => is !== "same");
  if (differing.length === 0) return NONE_MOVED;
  const kept = once(
    session.unsettled,
    placeOf(session.definition, attributes),
    () => new Map<string, number>(),
  );
  for (const [name, id] of differing) kept.set(name, id);
  return differing.flatMap(([name, id, meaning]) =>
    meaning.is === "moved" ? [{ kind: partsOf(name).kind, path: meaning.now.path, id }] : [],
  );
}

/** Returns a text of the attributes whose change replaces an object. A declaration and its object have equal texts. */
const placeOf = (definition: ResourceDefinition, values: ValueObject): string =>
  JSON.stringify(
    replacing(definition).map((name) => (isUnknown(values[name] ?? null) ? null : (values[name] ?? null))),
  );

const replacing = memoize(({ attributes }: ResourceDefinition): readonly string[] =>
  attributeEntries(attributes)
    .filter(([, { text }]) => text.replaces === true)
    .map(([name]) => name),
);

function partsOf(name: string): { readonly kind: string; readonly text: string } {
  const colon = name.indexOf(":");
  return { kind: name.slice(0, colon), text: name.slice(colon + 1) };
}

/** The result of comparing a declaration's paths with the service. */
export interface ComparedPaths {
  readonly diagnostics: readonly Diagnostic[];
  /** The declared paths whose objects now have another path. */
  readonly moved: readonly HeldReference[];
}

const NOTHING: ComparedPaths = { diagnostics: NONE, moved: [] };

/**
 * Compares the paths of a configuration with the service, if an earlier apply recorded them. All other paths are only looked up.
 *
 * @param state the state of the object; undefined if an earlier read of this run did not find the object
 * @throws the client's errors
 */
export function compareDeclared(
  session: ResourceSession,
  state: StoredState | undefined,
  config: ValueObject,
): Resolution<ComparedPaths> {
  const { definition, lookups, isConnected } = session;
  // A run without a refresh compares no paths.
  if (!isConnected || !lookups.isComparing) return NOTHING;
  const held =
    state === undefined ? session.unsettled.get(placeOf(definition, config)) : heldBy(session, state);
  if (held === undefined || held.size === 0) return NOTHING;
  const compared: Resolution<readonly [HeldReference, Meaning]>[] = [];
  for (const one of pathsIn(definition.attributes, config)) {
    const id = held.get(`${one.kind}:${one.text}`);
    if (id === undefined) continue;
    const meaning = lookups.compare(one.kind, one.text, id);
    compared.push(continueWith(meaning, (found) => [{ ...one, id }, found] as const));
  }
  return continueWith(allOf(compared), (settled) => describe(session, state, settled));
}

function describe(
  session: ResourceSession,
  state: StoredState | undefined,
  compared: readonly (readonly [HeldReference, Meaning])[],
): ComparedPaths {
  if (compared.every(([, { is }]) => is === "same")) return NOTHING;
  const live =
    state &&
    new Set(
      pathsIn(session.definition.attributes, state.attributes).map(({ kind, text }) => `${kind}:${text}`),
    );
  const diagnostics: Diagnostic[] = [];
  const moved: HeldReference[] = [];
  for (const [held, meaning] of compared) {
    const { kind, text, attribute } = held;
    const found = diagnosticOf(held, meaning);
    if (found !== undefined) diagnostics.push(found);
    if (meaning.is === "taken") session.disputes.set(`${kind}:${text}`, found!);
    if (meaning.is === "moved") moved.push(held);
    // A live entry can name an object that the token can't see, so its missing path is not an error. An entry that the plan adds
    // must name an existing object.
    if (meaning.is === "missing" && live?.has(`${kind}:${text}`) !== true)
      diagnostics.push(...new ReferenceNotFound(kind, text, attribute).diagnostics);
  }
  return { diagnostics, moved };
}

/** Returns the diagnostics about the paths of a declared object. Without a configuration, the paths of the state are compared. */
export const declaredPaths = (
  session: ResourceSession,
  { state, config = state.attributes }: { readonly state: StoredState; readonly config?: ValueObject },
): Resolution<readonly Diagnostic[]> =>
  session.lookups.isQuiet(state.private) && session.unsettled.size === 0
    ? NONE
    : continueWith(compareDeclared(session, state, config), ({ diagnostics }) => diagnostics);

/**
 * Returns the errors of a planned object about disputed paths. A disputed path now means another object, and this run has already
 * refused another declaration because of this path.
 */
export function disputedPaths(session: ResourceSession, { attributes }: StoredState): readonly Diagnostic[] {
  if (session.disputes.size === 0) return NONE;
  return pathsIn(session.definition.attributes, attributes).flatMap(({ kind, text, attribute }) => {
    const found = session.disputes.get(`${kind}:${text}`);
    return found === undefined ? [] : [{ ...found, attribute }];
  });
}

/** Returns the paths in a planned change whose id in the plan differs from their id in the state. Sends no request. */
export function newPaths(
  definition: ResourceDefinition,
  before: StoredState,
  planned: StoredState,
): readonly string[] {
  const held = heldBy({ definition }, before);
  const { references } = rememberedIn(planned.private);
  return pathsIn(definition.attributes, planned.attributes).flatMap(({ kind, text }) => {
    const name = `${kind}:${text}`;
    return held.get(name) === references.get(name) ? [] : [text];
  });
}
