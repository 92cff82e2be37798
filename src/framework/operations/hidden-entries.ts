import { type Diagnostic, DiagnosticError, error, warning } from "../../diagnostics";
import {
  type Attributes,
  attributeEntries,
  isCollectionOfPrimitives,
  memoize,
  type Reference,
  type ReferenceKind,
  reference,
  type ValueObject,
} from "../../schema";
import { allOf, compareNatural } from "../../text";
import type { Found, ResourceDefinition } from "../definition/definition";
import { SomeWritesFailed } from "../protocol/failures";
import type { StoredState } from "../protocol/protocol";
import type { Resolved } from "../references/normalize";
import { References } from "../references/references";
import type { NamedEntry } from "../references/remembered";
import { rememberedIn, withRemembered } from "../references/remembered";
import type { Identity } from "./identity";
import type { ResourceSession, Session } from "./session";

/** The entries of an object's managed sets, by attribute. */
export type Entries = Readonly<Record<string, readonly Reference[] | null>>;
const NO_ENTRIES: Entries = {};

/**
 * Adds entries that the service accepted before and does not list now, if the token can't see their targets. The service can hide
 * entries with a target that the token can't see. Without this function, every run would send these entries again. The function
 * sends one request for each missing entry.
 *
 * @throws the client's errors
 */
export async function withHiddenEntries(
  session: ResourceSession,
  found: Found<Attributes>,
  accepted: Entries,
): Promise<{ readonly found: Found<Attributes>; readonly hidden: readonly NamedEntry[] }> {
  const hidden: NamedEntry[] = [];
  const sets: Record<string, Resolved> = {};
  for (const { name, kind } of setsOf(session.definition.attributes)) {
    const shown = (found as unknown as Entries)[name] ?? [];
    const ids = new Set(shown.map(({ id }) => id));
    const missing = (accepted[name] ?? []).filter(({ id }) => !ids.has(id));
    const kept = await hiddenAmong(
      session,
      missing.map((one) => ({ ...one, kind })),
    );
    if (kept.length > 0) sets[name] = [...shown, ...kept.map(({ id }) => ({ id }))];
    hidden.push(...kept);
  }
  return { found: hidden.length === 0 ? found : ({ ...found, ...sets } as typeof found), hidden };
}

/** Returns whether the live sets lack an entry that the service accepted before. */
export const lacksEntries = (
  { attributes }: ResourceDefinition,
  found: Found<Attributes>,
  accepted: Entries,
): boolean =>
  setsOf(attributes).some(({ name }) => {
    const ids = new Set(((found as unknown as Entries)[name] ?? []).map(({ id }) => id));
    return (accepted[name] ?? []).some(({ id }) => !ids.has(id));
  });

/**
 * Returns the entries of managed sets in a state, if the private bytes contain the ids of the entries. With `of`, only entries of
 * this kind are returned. Sends no request.
 */
export function acceptedEntries(
  { attributes }: ResourceDefinition,
  state: ValueObject,
  references: References,
  of?: ReferenceKind,
): Entries {
  const sets = setsOf(attributes).filter(({ kind }) => of === undefined || kind === of);
  if (sets.length === 0) return NO_ENTRIES;
  const remembered = references.offline();
  const entries = sets.map(({ name, kind }) => {
    const texts = Array.isArray(state[name]) ? (state[name] as readonly string[]) : [];
    const entries = texts.flatMap(
      (text) => remembered.ifKnown(() => remembered.named(kind, text, [kind])) ?? [],
    );
    return [name, entries] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Checks an object that is one entry of a set, if the list of the set lacks this entry. Returns the entry if the service may be
 * hiding this entry; the caller then adds a warning.
 * @throws the client's errors
 */
export async function hiddenEntryWarning(
  session: ResourceSession,
  { key }: Identity,
): Promise<NamedEntry | undefined> {
  const { attributes, container, isEntry } = session.definition;
  if (isEntry !== true) return undefined;
  const { kind } = targetOf(attributes, container);
  return (await hiddenAmong(session, [{ id: Number(key), kind }]))[0];
}

/**
 * Returns the reference attribute of a resource whose object is a single entry. This attribute refers to the object that the
 * entry names.
 */
function targetOf(attributes: Attributes, container: string) {
  const [name, { type }] = attributeEntries(attributes).find(
    ([other, attribute]) => attribute.type.kind === "reference" && other !== container,
  )!;
  return { name, kind: (type as { readonly to: ReferenceKind }).to };
}

/**
 * Returns the missing entries whose target the token can't see. For an administrator, who sees everything, the result is empty.
 */
async function hiddenAmong({ lookups }: Session, missing: readonly NamedEntry[]): Promise<NamedEntry[]> {
  const targets = await Promise.all(missing.map(({ kind, id }) => lookups.byId(kind, id)));
  const hidden = missing.filter((_, index) => targets[index] === undefined);
  return hidden.length === 0 || (await lookups.isAdministrator()) ? [] : hidden;
}

/** Returns the attributes of a resource that are whole sets of references. */
const setsOf = memoize((attributes: Attributes): { readonly name: string; readonly kind: ReferenceKind }[] =>
  attributeEntries(attributes).flatMap(([name, { presence, type }]) =>
    presence === "managed" && isCollectionOfPrimitives(type) && type.element.kind === "reference"
      ? [{ name, kind: type.element.to }]
      : [],
  ),
);

/**
 * Returns whether the service can hide entries of the resource's objects. Hidden entries are possible only in sets that an object
 * owns as a whole.
 */
export const canHideEntries = ({ attributes }: ResourceDefinition): boolean => setsOf(attributes).length > 0;

/** Returns one warning about all hidden entries of an object. @param name the path or id of the container */
export function notShown(kind: string, name: string, hidden: readonly NamedEntry[]): Diagnostic {
  const names = hidden.map((one) =>
    one.path === undefined ? `${one.kind} ${one.id}` : `the ${one.kind} ${one.path}`,
  );
  return warning({
    code: "entry_not_visible",
    summary: "Entries not visible to this token",
    detail: `The list of the ${kind} ${name} does not contain the declared ${names.length === 1 ? "entry" : "entries"} for ${allOf(names)}. This token can't see ${names.length === 1 ? "that target" : "those targets"}. The service accepted the ${names.length === 1 ? "entry" : "entries"} earlier, so Steward keeps the declared value and sends nothing. Give the token's user access to ${names.length === 1 ? "the target" : "the targets"}. If a target was deleted, remove its entry from the code.`,
  });
}

/**
 * The error for an entry that the service still lists after a 404 to its removal. The token can't find the object that the entry
 * names.
 */
export class EntryNotRemoved extends DiagnosticError {
  constructor(readonly entry: NamedEntry) {
    super(
      error({
        code: "entry_not_removed",
        summary: "Entry not removed",
        detail: `The service responded with 404 to the removal of the entry for the ${nameOfEntry(entry)}, but still lists the entry. This token can't see that ${entry.kind}. The entry stays in the state. Apply with a token that can see the ${entry.kind}, or remove the entry by hand.`,
        cause: `the ${nameOfEntry(entry)}`,
      }),
    );
  }
}

/** Returns the text that messages use for an entry: the kind and path of the object that it names. */
const nameOfEntry = ({ kind, id, path }: NamedEntry): string =>
  `${kind} ${path === undefined ? id : `${path} (${id})`}`;

/** Returns the error about an entry that the service still returns after a 404 to its removal. */
export const entryLeft = (
  { attributes, container }: ResourceDefinition,
  key: string,
  shown: Readonly<Record<string, unknown>>,
): EntryNotRemoved => {
  const { name, kind } = targetOf(attributes, container);
  const { path } = shown[name] as { readonly path?: string };
  return new EntryNotRemoved({ ...reference(Number(key), path), kind });
};

/**
 * Returns a warning about an entry that counts as gone, although the service may be hiding it. The token can't find the object
 * that the entry names.
 */
export const treatedAsGone = (entry: NamedEntry): Diagnostic =>
  warning({
    code: "entry_not_removed",
    summary: "Removal of an entry not confirmed",
    detail: `The service responded with 404 to the removal of the entry for the ${nameOfEntry(entry)}, and does not list the entry. Steward treats the entry as removed, although this token can't see that ${entry.kind}. To be sure, check with a token that can see the ${entry.kind}.`,
  });

/** Returns a state that records the entries that a write could not remove, so that the next plan warns about them. */
export function recordNotRemoved<S extends StoredState | undefined>(state: S, problem: unknown): S {
  const entries = entriesIn(problem);
  if (state === undefined || entries.length === 0) return state;
  return { ...state, private: withRemembered(state.private, { notRemoved: entries }) };
}

function entriesIn(problem: unknown): readonly NamedEntry[] {
  if (problem instanceof EntryNotRemoved) return [problem.entry];
  if (problem instanceof SomeWritesFailed) return problem.failures.flatMap((one) => entriesIn(one.problem));
  return [];
}

/**
 * Returns the private bytes without the record of entries that a write could not remove. After a complete write, no warning is
 * needed.
 */
export const forget = (remembered: string | undefined): string | undefined =>
  rememberedIn(remembered).notRemoved.length === 0
    ? remembered
    : withRemembered(remembered, { notRemoved: [] });

/**
 * Returns warnings about entries that an earlier apply could not remove, and that this plan removes again. `planned` is undefined
 * if the plan destroys the object.
 */
export function removeAgain(
  definition: ResourceDefinition,
  prior: StoredState,
  planned: StoredState | undefined,
): Diagnostic[] {
  const entries = rememberedIn(prior.private).notRemoved.filter(
    (entry) =>
      planned === undefined || (hasEntry(definition, prior, entry) && !hasEntry(definition, planned, entry)),
  );
  if (entries.length === 0) return [];
  return [
    warning({
      code: "entry_not_removed",
      summary: "Entries not removed by an earlier apply",
      detail: notRemovedBefore(entries),
    }),
  ];
}

function notRemovedBefore(entries: readonly NamedEntry[]): string {
  const [only] = entries;
  const isOne = entries.length === 1;
  const targets = isOne ? `that ${only!.kind}` : "these targets";
  return (
    `An earlier apply could not remove the ${isOne ? "entry" : "entries"} for the ${allOf(entries.map(nameOfEntry).sort(compareNatural))}, ` +
    `because the token could not see ${targets}. This plan tries again. Apply with a token that can see ${targets}, ` +
    `or remove the ${isOne ? "entry" : "entries"} on the service by hand.`
  );
}

const hasEntry = (
  definition: ResourceDefinition,
  { attributes, private: remembered }: StoredState,
  { kind, id }: NamedEntry,
): boolean =>
  Object.values(acceptedEntries(definition, attributes, new References(undefined, remembered), kind)).some(
    (set) => set?.some((one) => one.id === id),
  );
