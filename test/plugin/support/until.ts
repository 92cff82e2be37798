import { setTimeout } from "node:timers/promises";

/** The timeout in milliseconds. The timeout is long enough for any condition on a busy machine. */
const PATIENCE = 1_800_000;

/** Waits for a condition that has no event, such as the end of another program's child process. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await setTimeout(10);
  }
}
