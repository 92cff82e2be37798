import { fail } from "../../diagnostics";
import type { StateMove } from "../../state";
import { openMove } from "../recovery/pending-journal";
import { executeMove, type LockedStack, planMove, rejectOpenMove } from "../recovery/state-move";
import { providerInConfiguration } from "../run/objects";
import type { Environment } from "../source/environment";
import type { Stack } from "../source/load-stacks";
import { withLock } from "../source/with-lock";
import { type EditOptions, statePlace } from "./states";

/** What is moved: objects of one stack's state to that of another. */
export interface MoveRequest {
  readonly source: Stack;
  readonly target: Stack;
  /** The address there, and the one here. */
  readonly addresses: readonly [from: string, to: string];
}

/** Works out a move between two stacks, and changes nothing. What an interrupted command left open comes first. */
export async function previewMove(
  { source, target, addresses }: MoveRequest,
  environment: Environment,
): Promise<StateMove> {
  const places = [placeOf(source, environment), placeOf(target, environment)] as const;
  refuseSamePlace(...places);
  return (await openBetween(...places)) ?? planMove(...places, addresses);
}

/**
 * Moves objects from the state of one stack to that of another, and first finishes what an earlier command left open.
 * Answers with the move that was asked for.
 */
export async function moveBetweenStacks(
  { source, target, addresses }: MoveRequest,
  environment: Environment,
  options: Omit<EditOptions, "operation">,
): Promise<StateMove> {
  const [from, to] = [placeOf(source, environment), placeOf(target, environment)];
  refuseSamePlace(from, to);
  const finish = (move: StateMove): Promise<unknown> => {
    const [first, second, end] = move.from.stack === from.stack ? [from, to, target] : [to, from, source];
    return executeMove(move, first.backend, second.backend, providerInConfiguration(end.configuration));
  };
  return withBothLocks(from, to, options, async () => {
    const open = await openBetween(from, to);
    if (open !== undefined) {
      await finish(open);
      const isAsked =
        open.from.stack === from.stack && open.addresses.every((one, at) => one === addresses[at]);
      if (isAsked) return open;
    }
    const asked = await planMove(from, to, addresses);
    await finish(asked);
    return asked;
  });
}

const placeOf = (stack: Stack, environment: Environment): LockedStack => ({
  ...statePlace(stack, environment),
  stack: stack.name!,
});

/** Two commands that move in opposite directions take the locks in one order, so that neither holds what the other waits for. */
function withBothLocks<T>(
  source: LockedStack,
  target: LockedStack,
  { onNotice, timeoutMs, signal }: Omit<EditOptions, "operation">,
  work: () => Promise<T>,
): Promise<T> {
  const [first, second] =
    source.backend.description < target.backend.description ? [source, target] : [target, source];
  const request = { operation: "state mv", timeoutMs, ...(signal && { signal }) };
  return withLock(first.backend, request, onNotice, () => withLock(second.backend, request, onNotice, work));
}

/** The move between these two that an interrupted command left open. @throws DiagnosticError where anything else is open */
async function openBetween(source: LockedStack, target: LockedStack): Promise<StateMove | undefined> {
  const places = [source, target];
  const found = await Promise.all(places.map(({ backend }) => openMove(backend)));
  const names = places.map(({ stack }) => stack);
  found.forEach((move, at) => {
    if (move === undefined) return;
    const isBetween = names.includes(move.from.stack) && names.includes(move.to.stack);
    if (!isBetween) rejectOpenMove(move, places[at]!.backend.journal.description);
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
