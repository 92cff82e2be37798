import { type Diagnostic, warning } from "../../diagnostics";
import { reference } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import { SomeWritesFailed } from "../protocol/write-batch";
import { EntryNotRemoved, nameOfEntry } from "../references/entry-not-removed";
import { type NamedEntry, References } from "../references/references";
import { acceptedEntries, targetOf } from "./hidden-entries";

/** A single entry that was still readable after a 404 to its removal. */
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
 * A warning about an entry that is not listed but may only be hidden: the token can't find the object that it
 * refers to.
 */
export const treatedAsGone = (entry: NamedEntry): Diagnostic =>
  warning({
    code: "entry_not_removed",
    summary: "Entry not visible to this token",
    detail:
      `The service responded 404 to the removal of ${nameOfEntry(entry)} and does not list it, ` +
      `and this token can't find that ${entry.kind}: the entry counts as removed. If the ${entry.kind} ` +
      "is only hidden from this token, check with a token whose user can see it.",
  });

/** Records in a state the entries that a write could not remove, so that the next plan warns of them. */
export function recordNotRemoved<S extends StoredState | undefined>(state: S, problem: unknown): S {
  const entries = entriesIn(problem);
  if (state === undefined || entries.length === 0) return state;
  return { ...state, private: References.withNotRemoved(state.private, entries) };
}

function entriesIn(problem: unknown): readonly NamedEntry[] {
  if (problem instanceof EntryNotRemoved) return [problem.entry];
  if (problem instanceof SomeWritesFailed) return problem.failures.flatMap((one) => entriesIn(one.problem));
  return [];
}

/** After a complete write there is nothing left to warn of. */
export const forget = (state: StoredState): StoredState =>
  References.notRemovedBy(state.private).length === 0
    ? state
    : { ...state, private: References.withNotRemoved(state.private, []) };

/** Warns of entries that this plan removes again, after an apply could not; `planned` if the object stays. */
export function removeAgain(
  definition: ResourceDefinition,
  prior: StoredState,
  planned: StoredState | undefined,
): Diagnostic[] {
  const entries = References.notRemovedBy(prior.private).filter(
    (entry) =>
      planned === undefined || (holds(definition, prior, entry) && !holds(definition, planned, entry)),
  );
  if (entries.length === 0) return [];
  return [
    warning({
      code: "entry_not_removed",
      summary: "Entries that an apply could not remove",
      detail:
        `An apply could not remove ${entries.map(nameOfEntry).join(", ")}: its token could not ` +
        "find objects that the service still lists. This plan removes them again. Apply with a " +
        "token whose user can see them, or remove them by hand.",
    }),
  ];
}

const holds = (
  definition: ResourceDefinition,
  { attributes, private: remembered }: StoredState,
  { kind, id }: NamedEntry,
): boolean =>
  Object.values(acceptedEntries(definition, attributes, new References(undefined, remembered), kind)).some(
    (set) => set?.some((one) => one.id === id),
  );
