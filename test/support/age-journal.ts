import { formatLine, type JournalStore, parseLine } from "../../src/state/journal/entries";

const MINUTE = 60_000;

/**
 * Sets the times in a journal back by a minute. After a recent change of a killed run, the next run waits, because replicas
 * of the service may lag behind. With older times, it does not wait. test/provider/lagging-recovery.test.ts tests the wait.
 */
export async function ageJournal(journal: JournalStore): Promise<void> {
  const text = await journal.read();
  if (text === undefined) return;
  await journal.replace((text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(aged));
  await journal.release();
}

/**
 * Returns a line of the journal with an earlier time. A line without a time, and a line that a kill cut off, stay unchanged.
 */
function aged(line: string): string {
  if (!line.endsWith("\n")) return line;
  const entry = parseLine(line.slice(0, -1)) as
    | (Parameters<typeof formatLine>[0] & { readonly at?: string })
    | undefined;
  if (entry?.at === undefined) return line;
  return formatLine({ ...entry, at: new Date(Date.parse(entry.at) - MINUTE).toISOString() } as typeof entry);
}
