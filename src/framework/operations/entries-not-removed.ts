import { type Diagnostic, warning } from "../../diagnostics";
import { reference } from "../../schema";
import type { ResourceDefinition } from "../definition/definition";
import type { StoredState } from "../protocol/protocol";
import { SomeWritesFailed } from "../protocol/write-batch";
import { EntryNotRemoved, nameOfEntry } from "../references/entry-not-removed";
import { type NamedEntry, References } from "../references/references";
import { acceptedEntries, targetOf } from "./hidden-entries";

/** A single entry that could still be read after a 404 to its removal. */
export const entryLeft = (
  { attributes, container }: ResourceDefinition,
  key: string,
  shown: Readonly<Record<string, unknown>>,
): EntryNotRemoved => {
  const { name, kind } = targetOf(attributes, container);
  const { path } = shown[name] as { readonly path?: string };
  return new EntryNotRemoved({ ...reference(Number(key), path), kind });
};

/** Tells of an entry that is not listed, and may only be hidden: what it names can't be found with this token. */
export const treatedAsGone = (entry: NamedEntry): Diagnostic =>
  warning({
    code: "entry_not_removed",
    summary: "An entry that this token can't see",
    detail:
      `The service answered 404 to the removal of ${nameOfEntry(entry)} and does not list it, and this token can't find ` +
      `that ${entry.kind}: the entry is taken for gone. If the ${entry.kind} is only hidden from this token, look with ` +
      "one whose user can see it whether the entry is there still.",
  });

/** Notes in a state which entries a write could not remove, so that the next plan warns of them. */
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

/** A write was done: nothing of an earlier one is left to be warned of. */
export const forget = (state: StoredState): StoredState =>
  References.notRemovedBy(state.private).length === 0
    ? state
    : { ...state, private: References.withNotRemoved(state.private, []) };

/** Warns of entries that this plan removes once more, after an apply could not; `planned` where the object stays. */
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
        `An apply could not remove ${entries.map(nameOfEntry).join(", ")}: its token could not find what the service still ` +
        "lists. This plan removes it once more. Apply with a token whose user can see it, or remove it by hand.",
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
