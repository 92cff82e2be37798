import { formatState, requireSingle } from "../../../engine";
import type { SourceArguments, StateArguments } from "../../arguments/stack-options";
import { readNamedStates } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";

/** Writes a state in its stored format. */
export async function pullState(args: SourceArguments & StateArguments, terminal: Terminal): Promise<number> {
  const { state } = requireSingle(await readNamedStates(args, terminal), "state pull");
  if (state !== undefined) terminal.out.lines(formatState(state).trimEnd().split("\n"));
  return 0;
}
