import { emptyState, moveInState } from "../../../state";
import type { MoveArguments } from "../../arguments/state";
import { editState } from "../../stacks/edit-state";
import { readStates, stateHolding } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { writeMoved } from "../../views/state-changes";
import { moveBetweenStacks } from "./move-between";

/** Gives objects of a state other addresses. */
export async function moveState(args: MoveArguments, terminal: Terminal): Promise<number> {
  const { from, to, between, lockTimeout, dryRun } = args;
  if (between !== undefined) return moveBetweenStacks(args, between, terminal);
  const { backend, state = emptyState() } = stateHolding(await readStates(args, terminal), [from]);
  const { moved } = dryRun
    ? moveInState(state, from, to)
    : await editState(backend, { operation: "state mv", timeoutMs: lockTimeout }, terminal, (current) =>
        moveInState(current, from, to),
      );
  writeMoved(moved, terminal, args);
  return 0;
}
