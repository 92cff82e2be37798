import { type Diagnostic, warning } from "../../diagnostics";
import {
  type Attributes,
  attributeEntries,
  isCollectionOfPrimitives,
  memoize,
  type Reference,
  type ReferenceKind,
  type ValueObject,
} from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { Resolved } from "../references/normalize";
import { type NamedEntry, ReferenceNotFound, type References } from "../references/references";
import type { Identity, Session } from "./session";

/** An accepted entry that a list hides from this token. */
export type HiddenEntry = NamedEntry;

/** The entries of an object's managed sets, by attribute. */
export type Entries = Readonly<Record<string, readonly Reference[] | null>>;
const NO_ENTRIES: Entries = {};

/**
 * Adds entries that were accepted before and are missing now, if the token can't see the object that they
 * refer to: the service may hide them for that reason alone, and every run would send them again. One request
 * per missing entry.
 *
 * @throws the client's errors
 */
export async function withHiddenEntries(
  { attributes }: ResourceDefinition,
  session: Session,
  found: Found<Attributes>,
  accepted: Entries,
): Promise<{ readonly found: Found<Attributes>; readonly hidden: readonly HiddenEntry[] }> {
  const hidden: HiddenEntry[] = [];
  const sets: Record<string, Resolved> = {};
  for (const { name, kind } of setsOf(attributes)) {
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

/**
 * The entries of managed sets in a state, as far as their ids are remembered; of one kind, if given. Sends no
 * request.
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
    return [name, texts.flatMap((text) => named(kind, text, remembered))] as const;
  });
  return Object.fromEntries(entries);
}

function named(kind: ReferenceKind, text: string, references: References): Reference[] {
  try {
    return [references.named(kind, text, [kind])];
  } catch (problem) {
    if (problem instanceof ReferenceNotFound) return [];
    throw problem;
  }
}

/** Whether a single entry that a list does not contain may be hidden. @throws the client's errors */
export async function hiddenEntryWarning(
  { attributes, container, isEntry: isHiddenEntry }: ResourceDefinition,
  session: Session,
  { key }: Identity,
): Promise<HiddenEntry | undefined> {
  if (isHiddenEntry !== true) return undefined;
  const { kind } = targetOf(attributes, container);
  return (await hiddenAmong(session, [{ id: Number(key), kind }]))[0];
}

/** The attribute of a single entry that refers to its target. */
export function targetOf(
  attributes: Attributes,
  container: string,
): { readonly name: string; readonly kind: ReferenceKind } {
  const [name, { type }] = attributeEntries(attributes).find(
    ([other, attribute]) => attribute.type.kind === "reference" && other !== container,
  )!;
  return { name, kind: (type as { readonly to: ReferenceKind }).to };
}

/**
 * Entries whose target is not visible to this token. For an administrator, who sees everything, a missing
 * entry is gone.
 */
async function hiddenAmong({ lookups }: Session, missing: readonly HiddenEntry[]): Promise<HiddenEntry[]> {
  const targets = await Promise.all(missing.map(({ kind, id }) => lookups.byId(kind, id)));
  const hidden = missing.filter((_, index) => targets[index] === undefined);
  return hidden.length === 0 || (await lookups.isAdministrator()) ? [] : hidden;
}

/** The sets of references that are owned as a whole. */
const setsOf = memoize((attributes: Attributes): { readonly name: string; readonly kind: ReferenceKind }[] =>
  attributeEntries(attributes).flatMap(([name, { presence, type }]) =>
    presence === "managed" && isCollectionOfPrimitives(type) && type.element.kind === "reference"
      ? [{ name, kind: type.element.to }]
      : [],
  ),
);

/** Whether a list may hide entries of objects of a resource: only of the sets that they own as a whole. */
export const mayHideEntries = ({ attributes }: ResourceDefinition): boolean => setsOf(attributes).length > 0;

/** A warning about all hidden entries of one object, if any. */
export function notShown(
  { container: kind }: ResourceDefinition,
  { container }: Identity,
  hidden: readonly HiddenEntry[],
): Diagnostic[] {
  if (hidden.length === 0) return [];
  const names = hidden.map((one) => `the ${one.kind} ${one.path ?? one.id}`);
  return [
    warning({
      code: "entry_not_visible",
      summary: "Entries not visible to this token",
      detail:
        `The ${kind} ${container} shows no entry for ${names.join(", ")}, which this token can't ` +
        "see either. The service accepted it before, so it counts as present: it is not sent again, " +
        "and can't be checked. Give the token's user access to its target; or, if the target is " +
        "gone, remove it from the code.",
    }),
  ];
}
