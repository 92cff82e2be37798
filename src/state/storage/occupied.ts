import { fail } from "../../diagnostics";

/** Rejects a journal at the address of a state. */
export const stateIsJournal = (location: string): never =>
  fail({
    code: "state_is_journal",
    summary: "Journal at the address of the state",
    detail:
      `${location} is the address of the state, but it contains a journal. Nothing was changed. Give ` +
      "the states names that don't collide: `prod` keeps its journal at `prod-journal`.",
  });

/** Rejects a state at the address of a journal. */
export const journalIsState = (location: string): never =>
  fail({
    code: "journal_address_taken",
    summary: "State at the address of the journal",
    detail:
      `${location} is the address of the journal, but it contains a state. Nothing was changed. Move one of the two states ` +
      "to another place.",
  });
