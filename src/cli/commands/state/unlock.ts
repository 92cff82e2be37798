import { requireSingle } from "../../../engine";
import type { UnlockArguments } from "../../arguments/state";
import { namedStatePlaces } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { writeUnlocked } from "../../views/state-changes";

/** Removes a stale lock. */
export async function unlockState(args: UnlockArguments, terminal: Terminal): Promise<number> {
  const { backend } = requireSingle(await namedStatePlaces(args, terminal), "state unlock");
  const holder = await backend.unlock(args.id);
  writeUnlocked(backend.description, holder, terminal, args);
  return 0;
}
