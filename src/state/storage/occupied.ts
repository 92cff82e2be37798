import { fail } from "../../diagnostics";

/** Rejects a journal in the place of a state. */
export const stateIsJournal = (location: string): never =>
  fail({
    code: "state_is_journal",
    summary: "Journal in the place of the state",
    detail:
      `${location} is the place of the state, but it holds the journal of runs on a state. Nothing was changed. Give ` +
      "each of the two states a place whose journal is no other's state: `prod` and `prod-journal` can't be used together.",
  });

/** Rejects a state in the place of a journal. */
export const journalIsState = (location: string): never =>
  fail({
    code: "journal_address_taken",
    summary: "State in the place of the journal",
    detail:
      `${location} is the place of the journal, but it holds a state. Nothing was changed. Move one of the two states ` +
      "to another place.",
  });
