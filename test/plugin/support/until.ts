import { setTimeout } from "node:timers/promises";

/** Milliseconds. What holds at last does so long before, on a busy machine too. */
const PATIENCE = 1_800_000;

/** Waits for a condition without an event, such as the end of another program's child. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await setTimeout(10);
  }
}
