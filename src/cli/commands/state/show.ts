import { emptyState, selectFromState, stateHolding } from "../../../engine";
import type { ShowStateArguments } from "../../arguments/state";
import { readNamedStates } from "../../stacks/read-states";
import { schemaOf } from "../../stacks/schema-of";
import type { Terminal } from "../../terminal/terminal";
import { renderState, writeStateJson } from "../../views/state";

/** Shows the object at an address of a state. */
export async function showState(args: ShowStateArguments, terminal: Terminal): Promise<number> {
  const { state = emptyState() } = stateHolding(await readNamedStates(args, terminal), [args.address]);
  const picked = selectFromState(state, [args.address]);
  if (args.json) writeStateJson(picked, schemaOf(), terminal);
  else terminal.out.lines(renderState(picked, schemaOf()));
  return 0;
}
