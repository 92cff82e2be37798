import { emptyState, moveInState, stateHolding } from "../../../engine";
import type { MoveArguments } from "../../arguments/state";
import { editNamedState } from "../../stacks/edit-state";
import { readNamedStates } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { writeMoved } from "../../views/state-changes";
import { moveBetween } from "./move-between";

/** Changes addresses of objects in a state. */
export async function moveState(args: MoveArguments, terminal: Terminal): Promise<number> {
  const { from, to, between, lockTimeout, dryRun } = args;
  if (between !== undefined) return moveBetween(args, between, terminal);
  const { backend, state = emptyState() } = stateHolding(await readNamedStates(args, terminal), [from]);
  const { moved } = dryRun
    ? moveInState(state, from, to)
    : await editNamedState(backend, { operation: "state mv", timeoutMs: lockTimeout }, terminal, (current) =>
        moveInState(current, from, to),
      );
  writeMoved(moved, terminal, args);
  return 0;
}
