import { DiagnosticError, error } from "../../diagnostics";
import type { NamedEntry } from "./references";

/**
 * The service responded 404 to the removal of an entry and still lists it: the token can't find its target.
 */
export class EntryNotRemoved extends DiagnosticError {
  constructor(readonly entry: NamedEntry) {
    super(
      error({
        code: "entry_not_removed",
        summary: "Entry not removed",
        detail:
          `The service still lists ${nameOfEntry(entry)}, and responded 404 to its removal: this ` +
          `token can't find that ${entry.kind}. The entry stays in the state. Apply with a token ` +
          "whose user can see it, or remove it by hand.",
        cause: nameOfEntry(entry),
      }),
    );
  }
}

/** Describes an entry by its target, for messages. */
export const nameOfEntry = ({ kind, id, path }: NamedEntry): string =>
  path === undefined ? `the ${kind} ${id}` : `the ${kind} ${path} (${id})`;
