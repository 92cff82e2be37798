import type { AppShard } from "./run-view";

/** Maximum number of stacks that the line names. */
const MAX_NAMED = 10;

/** The stacks of a shard, in a line. */
export function describeShard({ number, total, stacks, ofStacks }: AppShard): string {
  const shard = `Shard ${number}/${total}`;
  if (stacks.length === 0) return `${shard} has none of the ${ofStacks} stacks: nothing to do.`;
  const more = stacks.length - MAX_NAMED;
  const names = `${stacks.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `${shard} has ${stacks.length} of ${ofStacks} ${ofStacks === 1 ? "stack" : "stacks"}: ${names}.`;
}
