import { type Diagnostic, warning } from "../../diagnostics";
import {
  type Attributes,
  attributeEntries,
  isCollectionOfPrimitives,
  type Reference,
  type ReferenceKind,
  type ValueObject,
} from "../../schema";
import type { Found, ResourceDefinition } from "../definition/definition";
import type { Resolved } from "../references/normalize";
import { type NamedEntry, ReferenceNotFound, type References } from "../references/references";
import type { Identity, Session } from "./session";

/** An entry that was accepted and that a list does not show to this token. */
export type HiddenEntry = NamedEntry;

/** The entries of an object's managed sets, by the names of the sets. */
export type Entries = Readonly<Record<string, readonly Reference[] | null>>;

/**
 * Adds to what was found the entries that were accepted before and are not shown now, where this token can't see the
 * container that they name: the service may hide them for that reason alone, and they would be sent again in
 * every run. Asks once for each entry that is missing.
 *
 * @throws the client's errors
 */
export async function withHiddenEntries(
  { attributes }: ResourceDefinition,
  session: Session,
  found: Found<Attributes>,
  accepted: Entries,
): Promise<{ readonly found: Found<Attributes>; readonly unseen: readonly HiddenEntry[] }> {
  const unseen: HiddenEntry[] = [];
  const sets: Record<string, Resolved> = {};
  for (const { name, kind } of setsOf(attributes)) {
    const shown = (found as unknown as Entries)[name] ?? [];
    const ids = new Set(shown.map(({ id }) => id));
    const missing = (accepted[name] ?? []).filter(({ id }) => !ids.has(id));
    const hidden = await hiddenAmong(
      session,
      missing.map((one) => ({ ...one, kind })),
    );
    if (hidden.length > 0) sets[name] = [...shown, ...hidden.map(({ id }) => ({ id }))];
    unseen.push(...hidden);
  }
  return { found: unseen.length === 0 ? found : ({ ...found, ...sets } as typeof found), unseen };
}

/**
 * The entries that a state holds in managed sets, as far as it remembers which ones they are; those `of` one kind, where
 * that is given. Asks for nothing.
 */
export function acceptedEntries(
  { attributes }: ResourceDefinition,
  state: ValueObject,
  references: References,
  of?: ReferenceKind,
): Entries {
  const remembered = references.offline();
  const sets = setsOf(attributes).filter(({ kind }) => of === undefined || kind === of);
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

/** Whether a single entry that a list does not show may be on it all the same. @throws the client's errors */
export async function hiddenEntryWarning(
  { attributes, container, isEntry: isHiddenEntry }: ResourceDefinition,
  session: Session,
  { key }: Identity,
): Promise<HiddenEntry | undefined> {
  if (isHiddenEntry !== true) return undefined;
  const { kind } = targetOf(attributes, container);
  return (await hiddenAmong(session, [{ id: Number(key), kind }]))[0];
}

/** The attribute of a single entry that says what it names. */
export function targetOf(
  attributes: Attributes,
  container: string,
): { readonly name: string; readonly kind: ReferenceKind } {
  const [name, { type }] = attributeEntries(attributes).find(
    ([other, attribute]) => attribute.type.kind === "reference" && other !== container,
  )!;
  return { name, kind: (type as { readonly to: ReferenceKind }).to };
}

/** Those that name what this token can't see. To an administrator, who sees everything, a missing entry is gone. */
async function hiddenAmong({ lookups }: Session, missing: readonly HiddenEntry[]): Promise<HiddenEntry[]> {
  const targets = await Promise.all(missing.map(({ kind, id }) => lookups.byId(kind, id)));
  const hidden = missing.filter((_, index) => targets[index] === undefined);
  return hidden.length === 0 || (await lookups.isAdministrator()) ? [] : hidden;
}

/** The sets of references that are owned as a whole. */
const setsOf = (attributes: Attributes): { readonly name: string; readonly kind: ReferenceKind }[] =>
  attributeEntries(attributes).flatMap(([name, { presence, type }]) =>
    presence === "managed" && isCollectionOfPrimitives(type) && type.element.kind === "reference"
      ? [{ name, kind: type.element.to }]
      : [],
  );

/** Tells of entries that can't be looked at, all of one object at once; nothing where there are none. */
export function notShown(
  { container: kind }: ResourceDefinition,
  { container }: Identity,
  unseen: readonly HiddenEntry[],
): Diagnostic[] {
  if (unseen.length === 0) return [];
  const names = unseen.map((one) => `the ${one.kind} ${one.path ?? one.id}`);
  return [
    warning({
      code: "entry_not_visible",
      summary: "Entries that this token can't see",
      detail:
        `The ${kind} ${container} shows no entry for ${names.join(", ")}, which this token can't see either. The service ` +
        "accepted it before, so it counts as present: it is not sent again, and can't be checked. Let the token's user " +
        "see what it names; or, if that is gone, take it out of the code.",
    }),
  ];
}
