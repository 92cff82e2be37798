import { fail } from "../../diagnostics";

/** Rejects a journal at the address of a state. */
export const stateIsJournal = (location: string): never =>
  fail({
    code: "state_is_journal",
    summary: "Journal at the address of the state",
    detail:
      `${location} is the place of the state, but it holds the journal of runs on a state. Nothing was changed. Give ` +
      "each of the two states a place whose journal is not the other's state: `prod` and `prod-journal` can't be used together.",
  });

/** Rejects a state at the address of a journal. */
export const journalIsState = (location: string): never =>
  fail({
    code: "journal_address_taken",
    summary: "State at the address of the journal",
    detail:
      `${location} is the place of the journal, but it holds a state. Nothing was changed. Move one of the two states ` +
      "to another place.",
  });
