import {
  type LoadedStacks,
  type MoveChoice,
  moveBetweenStacks,
  previewMove,
  type Stacks,
  type StateMove,
} from "../../../engine";
import type { BetweenStacks, MoveArguments } from "../../arguments/state";
import { whileEditing } from "../../stacks/interruption";
import { loadNamedStacks } from "../../stacks/load-stacks";
import { ownProviders } from "../../stacks/providers";
import type { Terminal } from "../../terminal/terminal";
import { writeMoved, writeMoving } from "../../views/state-moves";

type Arguments = MoveArguments & { readonly between: Stacks } & BetweenStacks;

/** Moves objects between the states of two stacks. First finishes an interrupted move. */
export async function moveBetween(args: Arguments, terminal: Terminal): Promise<number> {
  const { between } = args;
  const loaded = await loadNamedStacks({ ...args, stacks: [between.from, between.to] }, terminal);
  const named = (name: string) => loaded.stacks.find((stack) => stack.name === name)!;
  const choice = choiceOf(args, loaded, terminal);
  const request = { source: named(between.from), target: named(between.to), ...choice };
  if (args.dryRun) {
    writeMoved(await previewMove(request, terminal), args, terminal, args);
    return 0;
  }
  const moves: StateMove[] = [];
  const onPlanned = (move: StateMove): void => {
    moves.push(move);
    if (!("addresses" in args)) writeMoving(move, terminal, args);
  };
  const last = await whileEditing(terminal, (onNotice, signal) =>
    moveBetweenStacks(request, terminal, { timeoutMs: args.lockTimeout, onNotice, signal, onPlanned }),
  );
  const isOfMany = !("addresses" in args);
  const objects = isOfMany
    ? moves.flatMap((move) => (move.from.stack === between.from ? move.objects : []))
    : last.objects;
  writeMoved({ ...last, objects }, args, terminal, args);
  return 0;
}

const choiceOf = (args: BetweenStacks, loaded: LoadedStacks, terminal: Terminal): MoveChoice =>
  "declared" in args ? { declared: { loaded, providers: ownProviders(terminal), variables: [] } } : args;
