import { type DiagnosticAction, type DiagnosticText, fail } from "../../diagnostics";
import type { StateBackend, StorageLocation } from "../../state";
import { compareNatural } from "../../text";

/** A state and its owner. */
export interface OwnedState {
  /** The text that names the owner in messages, such as `the stack "web"`. */
  readonly owner: string;
  /**
   * The name of the stack that uses this state now. Undefined for a configuration without an app, and for a copy that a migration
   * makes.
   */
  readonly stack?: string | undefined;
  readonly backend: StateBackend;
  /**
   * Whether this environment contains the address of the state's journal. If not, the location of the journal is not compared.
   * Default: true.
   */
  readonly knowsJournal?: boolean;
}

/** Returns the name of a state's owner for messages. */
export const ownerOf = (stack: string | undefined): string =>
  stack === undefined ? "the configuration" : `the stack "${stack}"`;

interface OwnedLocation extends StorageLocation {
  readonly owner: string;
  readonly stack: string | undefined;
}

/**
 * Fails if one file or URL is used for two states. Two owners can't share a state, and a state can't be the journal, the backup
 * or the lock of another state.
 *
 * @throws DiagnosticError `state_place_shared`
 */
export async function requireSeparateStates(states: readonly OwnedState[]): Promise<void> {
  const users = new Map<string, OwnedLocation>();
  const all = await Promise.all(
    states.map(async ({ owner, stack, backend, knowsJournal = true }) =>
      (await backend.locations())
        .filter(({ use }) => knowsJournal || use !== "journal")
        .map((location): OwnedLocation => ({ ...location, owner, stack })),
    ),
  );
  for (const location of all.flat()) {
    for (const key of location.keys) {
      const other = users.get(key);
      if (other !== undefined && other.owner !== location.owner) rejectShared(other, location);
      users.set(key, location);
    }
  }
}

function rejectShared(one: OwnedLocation, other: OwnedLocation): never {
  const text = {
    code: "state_place_shared",
    summary: "Two states in one place",
  } satisfies Partial<DiagnosticText>;
  // The message names a location of a state first, because a conflict about a whole state explains more than a conflict about a
  // journal.
  const [first, second] = other.use === "state" ? [other, one] : [one, other];
  if (first.use === second.use) return fail({ ...text, ...sameUse(first, second) });
  return fail({
    ...text,
    detail:
      `${first.description} is both the ${first.use} of ${first.owner} and the ${second.use} of ${second.owner}, so their runs would overwrite each other. Nothing was changed. Set another address in the backend of ${first.owner} or of ${second.owner}.` +
      `${second.use === "journal" ? OR_MOVE_JOURNAL : ""}`,
  });
}

function sameUse(
  first: OwnedLocation,
  second: OwnedLocation,
): { readonly detail: string; readonly action?: DiagnosticAction } {
  const [one, other] = [first, second].sort((a, b) => compareNatural(a.owner, b.owner)) as [
    OwnedLocation,
    OwnedLocation,
  ];
  const shared = `The ${first.use}s of ${one.owner} and ${other.owner} have the same place: ${first.description}.`;
  if (first.use === "journal")
    return {
      detail: `${shared} Nothing was changed. Put {stack} in the value of TF_HTTP_JOURNAL_ADDRESS, which Steward replaces with the name of each stack.`,
    };
  const cause = `${shared} Each would remove the other's objects. Nothing was changed.`;
  if (one.stack === undefined || other.stack === undefined)
    return { detail: `${cause} Choose another place for one of them.` };
  return {
    detail: `${cause} Set another address in the backend of ${other.owner}. If the shared state also contains objects of that stack, move them with this command.`,
    action: { kind: "moveAll", stacks: { from: one.stack, to: other.stack } },
  };
}

const OR_MOVE_JOURNAL =
  ' With the backend "http", you can also set another address for the journal in TF_HTTP_JOURNAL_ADDRESS.';
