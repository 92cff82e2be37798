import { formatLine, type JournalStore, parseLine } from "../../src/state/journal/entries";

const MINUTE = 60_000;

/**
 * Sets the times in a journal back by a minute. The next run then need not wait for replicas that may lag behind a killed run;
 * test/provider/lagging-recovery.test.ts holds that it waits after a recent change.
 */
export async function ageJournal(journal: JournalStore): Promise<void> {
  const text = await journal.read();
  if (text === undefined) return;
  await journal.replace((text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(aged));
  await journal.release();
}

/** A line with an earlier time. One without a time, or that a kill cut off, stays as it is. */
function aged(line: string): string {
  if (!line.endsWith("\n")) return line;
  const entry = parseLine(line.slice(0, -1)) as
    | (Parameters<typeof formatLine>[0] & { readonly at?: string })
    | undefined;
  if (entry?.at === undefined) return line;
  return formatLine({ ...entry, at: new Date(Date.parse(entry.at) - MINUTE).toISOString() } as typeof entry);
}
