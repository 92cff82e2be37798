import { fail } from "../../diagnostics";
import type { CommitEntry, IntentEntry, JournalEntry, JournalHead } from "./entries";
import { parseLine } from "./line-format";

/** The journal of an interrupted run. */
export interface PendingJournal {
  readonly head: JournalHead;
  readonly entries: readonly JournalEntry[];
}

/**
 * Parses a journal. Lines that were being written when the run was killed, or the power failed, are ignored:
 * nothing that depends on them was started.
 *
 * @param location the location for errors.
 * @throws DiagnosticError `journal_damaged`, `journal_newer`
 */
export function parseJournal(text: string, location: string): PendingJournal | undefined {
  const lines = text.split("\n");
  const torn = lines.pop()!;
  // If only the line end is missing, the line is complete.
  if (torn !== "" && parseLine(torn) !== undefined) lines.push(torn);
  const parsed = lines.map((line) => parseLine(line) as JournalHead | JournalEntry | undefined);
  const damaged = parsed.indexOf(undefined);
  if (damaged >= 0 && !wasUnsynced(lines[damaged]!, parsed, damaged))
    return damagedJournal(location, `line ${damaged + 1} is damaged`);
  const [head, ...entries] = (damaged < 0 ? parsed : parsed.slice(0, damaged)) as (
    | JournalHead
    | JournalEntry
  )[];
  if (head === undefined) return undefined;
  if (head.kind !== "head") return damagedJournal(location, "its first line is missing");
  if (head.format !== 1) return newerFormat(location);
  return { head, entries: entries.map((entry, at) => inOrder(entry, entries[at - 1], location)) };
}

/**
 * Whether a damaged line belongs to the last lines written, whose sync a power failure interrupted: the blocks that are
 * missing are zeros then, and no later line is of a later write. Nothing that depends on these lines was started.
 */
function wasUnsynced(
  line: string,
  parsed: readonly (JournalHead | JournalEntry | undefined)[],
  at: number,
): boolean {
  const before = parsed[at - 1];
  const expected = before === undefined ? 0 : before.kind === "head" ? 1 : before.n + 1;
  const after = parsed.slice(at + 1).filter((one) => one !== undefined);
  return line.includes("\0") && after.every((one) => one.kind !== "head" && (one.batch ?? one.n) <= expected);
}

function inOrder(
  entry: JournalHead | JournalEntry,
  before: JournalHead | JournalEntry | undefined,
  location: string,
): JournalEntry {
  if (entry.kind === "head") return damagedJournal(location, "it has two heads");
  const last = before === undefined || before.kind === "head" ? 0 : before.n;
  if (entry.n <= last) damagedJournal(location, "its lines are out of order");
  return entry;
}

/** The intents without a commit, in their order. */
export function pendingIntents({ entries }: PendingJournal): IntentEntry[] {
  const ended = new Set(entries.filter(isEnded).map(({ of }) => of));
  return entries.filter((entry): entry is IntentEntry => entry.kind === "begun" && !ended.has(entry.n));
}

export const isEnded = (entry: JournalEntry): entry is CommitEntry => entry.kind === "ended";

function damagedJournal(location: string, how: string): never {
  return fail({
    code: "journal_damaged",
    summary: "Journal is damaged",
    detail:
      `${location} records what an interrupted run did, and ${how}. Nothing was changed. Restore ` +
      "the file as the run left it. If that is impossible, move it away: the next plan then " +
      "shows what the state lacks, and `steward import` imports objects that exist already.",
  });
}

const newerFormat = (location: string): never =>
  fail({
    code: "journal_newer",
    summary: "Journal has a newer format",
    detail:
      `${location} was written by a newer release. Nothing was changed. Run that release to recover ` +
      "what is pending.",
  });
