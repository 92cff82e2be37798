import { fail } from "../../../diagnostics";
import type { Stack } from "../../../engine";
import {
  backendOf,
  carryOut,
  inConfiguration,
  type LockedStack,
  openMove,
  type ProviderOf,
  planMove,
  refuseOpenMove,
  withLock,
} from "../../../engine";
import type { Stacks, StateMove } from "../../../state";
import type { MoveArguments } from "../../arguments/state";
import { whileEditing } from "../../stacks/interruption";
import { loadNamedStacks } from "../../stacks/load-stacks";
import type { Terminal } from "../../terminal/terminal";
import { writeMoved } from "../../views/state-changes";

/** Moves objects from the state of one stack to that of another, and first finishes what an earlier run left open. */
export async function moveBetweenStacks(
  args: MoveArguments,
  between: Stacks,
  terminal: Terminal,
): Promise<number> {
  const { stacks } = await loadNamedStacks({ ...args, stacks: [between.from, between.to] }, terminal);
  const named = (name: string) => stacks.find((stack) => stack.name === name)!;
  const [source, target] = [placeOf(named(between.from), terminal), placeOf(named(between.to), terminal)];
  refuseSamePlace(source, target);
  const addresses = [args.from, args.to] as const;
  if (args.dryRun) {
    const move = (await openBetween(source, target)) ?? (await planMove(source, target, addresses));
    writeMoved(pairsOf(move), terminal, args, { from: move.from.stack, to: move.to.stack });
    return 0;
  }
  const providers = (stack: string): ProviderOf => inConfiguration(named(stack).configuration);
  const move = await withBothLocks(source, target, args.lockTimeout, terminal, async () => {
    const open = await openBetween(source, target);
    if (open !== undefined) {
      const [from, to] = open.from.stack === source.stack ? [source, target] : [target, source];
      await carryOut(open, from.backend, to.backend, providers(to.stack));
      if (isAsked(open, args, between)) return open;
    }
    const asked = await planMove(source, target, addresses);
    await carryOut(asked, source.backend, target.backend, providers(target.stack));
    return asked;
  });
  writeMoved(pairsOf(move), terminal, args, { from: move.from.stack, to: move.to.stack });
  return 0;
}

const placeOf = (stack: Stack, terminal: Terminal): LockedStack => ({
  stack: stack.name!,
  backend: backendOf(stack, undefined, terminal),
});

const pairsOf = ({ objects }: StateMove) => objects.map(({ from, to }) => [from, to] as const);

const isAsked = ({ from, addresses }: StateMove, args: MoveArguments, between: Stacks): boolean =>
  from.stack === between.from && addresses[0] === args.from && addresses[1] === args.to;

/** Two commands that move in opposite directions take the locks in one order, so that neither holds what the other waits for. */
function withBothLocks<T>(
  source: LockedStack,
  target: LockedStack,
  timeoutMs: number,
  terminal: Pick<Terminal, "err" | "onInterrupt" | "abort">,
  work: () => Promise<T>,
): Promise<T> {
  const [first, second] =
    source.backend.description < target.backend.description ? [source, target] : [target, source];
  return whileEditing(terminal, (notice, signal) => {
    const request = { operation: "state mv", timeoutMs, signal };
    return withLock(first.backend, request, notice, () => withLock(second.backend, request, notice, work));
  });
}

/** The move between these two that an interrupted command left open. @throws DiagnosticError where anything else is open */
async function openBetween(source: LockedStack, target: LockedStack): Promise<StateMove | undefined> {
  const places = [source, target];
  const found = await Promise.all(places.map(({ backend }) => openMove(backend)));
  const names = places.map(({ stack }) => stack);
  found.forEach((move, at) => {
    if (move === undefined) return;
    const isBetween = names.includes(move.from.stack) && names.includes(move.to.stack);
    if (!isBetween) refuseOpenMove(move, places[at]!.backend.journal.description);
  });
  return found.find((move) => move !== undefined);
}

function refuseSamePlace(source: LockedStack, target: LockedStack): void {
  if (source.backend.description !== target.backend.description) return;
  fail({
    code: "state_move_refused",
    summary: "Can't be moved",
    detail: `The stacks "${source.stack}" and "${target.stack}" keep their states in the same place, ${source.backend.description}. Nothing was changed. Give each stack its own state.`,
  });
}
