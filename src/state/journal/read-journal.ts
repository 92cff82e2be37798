import { fail } from "../../diagnostics";
import type { Begun, Ended, Entry, Head } from "./entries";
import { parseLine } from "./lines";

/** A journal that an interrupted run left behind. */
export interface LeftJournal {
  readonly head: Head;
  readonly entries: readonly Entry[];
}

/**
 * Reads a journal. A last line without its end was being written when the run was killed, and counts for nothing: what
 * rests on it had not begun.
 *
 * @param place how errors name the journal.
 * @throws DiagnosticError `journal_damaged`, `journal_newer`
 */
export function parseJournal(text: string, place: string): LeftJournal | undefined {
  const lines = text.split("\n");
  const torn = lines.pop()!;
  // Of a line that was written to its end the last byte alone may be missing.
  if (torn !== "" && parseLine(torn) !== undefined) lines.push(torn);
  const [head, ...entries] = lines.map((line, at) => {
    const entry = parseLine(line) as Head | Entry | undefined;
    return entry ?? damaged(place, `line ${at + 1} is not as it was written`);
  });
  if (head === undefined) return undefined;
  if (head.kind !== "head") return damaged(place, "its first line is missing");
  if (head.format !== 1) return tooNew(place);
  return { head, entries: entries.map((entry, at) => inPlace(entry, entries[at - 1], place)) };
}

function inPlace(entry: Head | Entry, before: Head | Entry | undefined, place: string): Entry {
  if (entry.kind === "head") return damaged(place, "it begins twice");
  const last = before === undefined || before.kind === "head" ? 0 : before.n;
  if (entry.n <= last) damaged(place, "its lines are out of order");
  return entry;
}

/** What was begun and never answered, in the order in which it was begun. */
export function openEntries({ entries }: LeftJournal): Begun[] {
  const ended = new Set(entries.filter(isEnded).map(({ of }) => of));
  return entries.filter((entry): entry is Begun => entry.kind === "begun" && !ended.has(entry.n));
}

export const isEnded = (entry: Entry): entry is Ended => entry.kind === "ended";

function damaged(place: string, how: string): never {
  return fail({
    code: "journal_damaged",
    summary: "Journal is damaged",
    detail:
      `${place} tells what an interrupted run did, and ${how}. Nothing was changed. Bring back the file as the run left ` +
      "it. If that is lost, move it away: the next plan then shows what the state lacks, and `steward import` takes over " +
      "what is on the service already.",
  });
}

const tooNew = (place: string): never =>
  fail({
    code: "journal_newer",
    summary: "Journal has a newer format",
    detail: `${place} was written by a newer release. Nothing was changed. Run that release, which settles what it left open.`,
  });
