import { fail } from "../../diagnostics";

/** Throws the error for a journal at the address of a state. */
export const stateIsJournal = (location: string): never =>
  fail({
    code: "state_is_journal",
    summary: "Journal at the address of the state",
    detail:
      `${location} is the address of the state, but it contains a journal. Nothing was changed. Rename ` +
      "one of the states: a state `prod` keeps its journal at `prod-journal`, so no other state can have that name.",
  });

/** Throws the error for another state at the address of a state's journal. */
export const journalIsState = (location: string, state: string, remedy = MOVE_ONE): never =>
  fail({
    code: "journal_address_taken",
    summary: "State at the address of the journal",
    detail:
      `Steward keeps the journal of the state ${state} in ${location}, but that place contains another state. ` +
      `Nothing was changed. ${remedy}`,
  });

const MOVE_ONE = "Move one of these two states to another place.";
