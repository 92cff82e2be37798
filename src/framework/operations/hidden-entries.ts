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
 * Adds entries that were accepted before and are missing now, if the token can't see their targets. The service
 * may hide such entries. Without this function, every run would send them again. It sends one request for each
 * missing entry.
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

/** Returns whether an entry that the service accepted before is missing in the live sets. */
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
 * Returns the entries of the managed sets in a state for which the private bytes contain an id. With `kind`, it
 * returns only entries of that kind. It sends no request.
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
 * Checks an object that is one entry of a set, after the list of the set did not contain this entry. Returns the
 * entry if the service may only hide it; the caller then warns.
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
 * Returns the reference attribute of an object that is a single entry. It refers to the object that the entry
 * names.
 */
function targetOf(attributes: Attributes, container: string) {
  const [name, { type }] = attributeEntries(attributes).find(
    ([other, attribute]) => attribute.type.kind === "reference" && other !== container,
  )!;
  return { name, kind: (type as { readonly to: ReferenceKind }).to };
}

/**
 * Returns the entries whose target the token can't see. An administrator sees everything, so for an administrator
 * every missing entry is gone.
 */
async function hiddenAmong({ lookups }: Session, missing: readonly NamedEntry[]): Promise<NamedEntry[]> {
  const targets = await Promise.all(missing.map(({ kind, id }) => lookups.byId(kind, id)));
  const hidden = missing.filter((_, index) => targets[index] === undefined);
  return hidden.length === 0 || (await lookups.isAdministrator()) ? [] : hidden;
}

/** Returns the sets of references that the resource owns as a whole. */
const setsOf = memoize((attributes: Attributes): { readonly name: string; readonly kind: ReferenceKind }[] =>
  attributeEntries(attributes).flatMap(([name, { presence, type }]) =>
    presence === "managed" && isCollectionOfPrimitives(type) && type.element.kind === "reference"
      ? [{ name, kind: type.element.to }]
      : [],
  ),
);

/**
 * Returns whether a list may hide entries of the resource's objects. Lists may hide entries only of sets that
 * an object owns as a whole.
 */
export const canHideEntries = ({ attributes }: ResourceDefinition): boolean => setsOf(attributes).length > 0;

/** Returns one warning about all hidden entries of an object. @param name the path of the container, or its id */
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
 * The error after the service responded 404 to the removal of an entry, but still lists the entry. The token can't
 * find the object that the entry names.
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

/** Returns the name of an entry for messages: the kind and path of the object that it names. */
const nameOfEntry = ({ kind, id, path }: NamedEntry): string =>
  `${kind} ${path === undefined ? id : `${path} (${id})`}`;

/** Returns the error about an entry that is still readable after a 404 to its removal. */
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
 * Returns a warning about an entry that the list does not contain, but that may be hidden. The token can't find
 * the object that the entry names.
 */
export const treatedAsGone = (entry: NamedEntry): Diagnostic =>
  warning({
    code: "entry_not_removed",
    summary: "Removal of an entry not confirmed",
    detail: `The service responded with 404 to the removal of the entry for the ${nameOfEntry(entry)}, and does not list the entry. Steward treats the entry as removed, although this token can't see that ${entry.kind}. To be sure, check with a token that can see the ${entry.kind}.`,
  });

/** Records in a state the entries that a write could not remove, so that the next plan warns of them. */
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
 * Removes the recorded entries that a write could not remove from private bytes. After a complete write, no entry
 * needs a warning.
 */
export const forget = (remembered: string | undefined): string | undefined =>
  rememberedIn(remembered).notRemoved.length === 0
    ? remembered
    : withRemembered(remembered, { notRemoved: [] });

/**
 * Warns of entries that this plan removes again because an earlier apply could not remove them. `planned` is
 * the plan of an object that stays.
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
