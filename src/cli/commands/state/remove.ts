import { emptyState, removeFromState, stateHolding } from "../../../engine";
import type { RemoveArguments } from "../../arguments/state";
import { editNamedState } from "../../stacks/edit-state";
import { readNamedStates } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { writeRemoved } from "../../views/state-changes";

/** Removes objects from a state. */
export async function removeState(args: RemoveArguments, terminal: Terminal): Promise<number> {
  const { addresses, lockTimeout, dryRun } = args;
  const { backend, state = emptyState() } = stateHolding(await readNamedStates(args, terminal), addresses);
  const { removed } = dryRun
    ? removeFromState(state, addresses)
    : await editNamedState(backend, { operation: "state rm", timeoutMs: lockTimeout }, terminal, (current) =>
        removeFromState(current, addresses),
      );
  writeRemoved(removed, terminal, args);
  return 0;
}
