import { moveBetweenStacks, previewMove, type Stacks, type StateMove } from "../../../engine";
import type { MoveArguments } from "../../arguments/state";
import { whileEditing } from "../../stacks/interruption";
import { loadNamedStacks } from "../../stacks/load-stacks";
import type { Terminal } from "../../terminal/terminal";
import { writeMoved } from "../../views/state-changes";

/** Moves objects between the states of two stacks. First finishes an interrupted move. */
export async function moveBetween(args: MoveArguments, between: Stacks, terminal: Terminal): Promise<number> {
  const { stacks } = await loadNamedStacks({ ...args, stacks: [between.from, between.to] }, terminal);
  const named = (name: string) => stacks.find((stack) => stack.name === name)!;
  const request = {
    source: named(between.from),
    target: named(between.to),
    addresses: [args.from, args.to] as const,
  };
  const move = args.dryRun
    ? await previewMove(request, terminal)
    : await whileEditing(terminal, (onNotice, signal) =>
        moveBetweenStacks(request, terminal, { timeoutMs: args.lockTimeout, onNotice, signal }),
      );
  writeMoved(pairsOf(move), terminal, args, { from: move.from.stack, to: move.to.stack });
  return 0;
}

const pairsOf = ({ objects }: StateMove) => objects.map(({ from, to }) => [from, to] as const);
