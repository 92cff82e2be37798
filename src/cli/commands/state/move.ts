import { emptyState, moveInState, stateHolding } from "../../../engine";
import type { MoveArguments } from "../../arguments/state";
import { editNamedState } from "../../stacks/edit-state";
import { readNamedStates } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { writeMovedWithin } from "../../views/state-moves";
import { moveBetween } from "./move-between";

/** Changes addresses of objects in a state. */
export async function moveState(args: MoveArguments, terminal: Terminal): Promise<number> {
  if (args.between !== undefined) return moveBetween(args, terminal);
  const { lockTimeout, dryRun } = args;
  const [from, to] = args.addresses;
  const { backend, state = emptyState() } = stateHolding(await readNamedStates(args, terminal), [from]);
  const { moved } = dryRun
    ? moveInState(state, from, to)
    : await editNamedState(backend, { operation: "state mv", timeoutMs: lockTimeout }, terminal, (current) =>
        moveInState(current, from, to),
      );
  writeMovedWithin(moved, terminal, args);
  return 0;
}
