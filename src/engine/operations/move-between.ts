import { fail } from "../../diagnostics";
import type { StateMove } from "../../state";
import { openMove } from "../recovery/pending-journal";
import { executeMove, type LockedStack, planMove, rejectOpenMove } from "../recovery/state-move";
import { providerInConfiguration } from "../run/objects";
import type { Environment } from "../source/environment";
import type { Stack } from "../source/load-stacks";
import { withLock } from "../source/with-lock";
import { type EditOptions, statePlace } from "./states";

/** A move of objects from one stack's state to another's. */
export interface MoveRequest {
  readonly source: Stack;
  readonly target: Stack;
  /** The address in the source and in the target. */
  readonly addresses: readonly [from: string, to: string];
}

/**
 * Plans a move between two stacks without changing anything. An unfinished move of an interrupted command
 * takes precedence.
 */
export async function previewMove(
  { source, target, addresses }: MoveRequest,
  environment: Environment,
): Promise<StateMove> {
  const stacks = [lockedStack(source, environment), lockedStack(target, environment)] as const;
  requireDistinctStates(...stacks);
  return (await unfinishedMove(...stacks)) ?? planMove(...stacks, addresses);
}

/**
 * Moves objects from one stack's state to another's, after completing an unfinished move between them.
 *
 * @returns the requested move
 */
export async function moveBetweenStacks(
  { source, target, addresses }: MoveRequest,
  environment: Environment,
  options: Omit<EditOptions, "operation">,
): Promise<StateMove> {
  const [from, to] = [lockedStack(source, environment), lockedStack(target, environment)];
  requireDistinctStates(from, to);
  const finish = (move: StateMove): Promise<unknown> => {
    const [first, second, end] = move.from.stack === from.stack ? [from, to, target] : [to, from, source];
    return executeMove(move, first.backend, second.backend, providerInConfiguration(end.configuration));
  };
  return withBothLocks(from, to, options, async () => {
    const open = await unfinishedMove(from, to);
    if (open !== undefined) {
      await finish(open);
      const isRequested =
        open.from.stack === from.stack && open.addresses.every((one, at) => one === addresses[at]);
      if (isRequested) return open;
    }
    const requested = await planMove(from, to, addresses);
    await finish(requested);
    return requested;
  });
}

const lockedStack = (stack: Stack, environment: Environment): LockedStack => ({
  ...statePlace(stack, environment),
  stack: stack.name!,
});

/** Both directions acquire the locks in the same order, so that two commands can't deadlock. */
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

/**
 * The unfinished move between these two stacks.
 *
 * @throws DiagnosticError if anything else is unfinished
 */
async function unfinishedMove(source: LockedStack, target: LockedStack): Promise<StateMove | undefined> {
  const stacks = [source, target];
  const found = await Promise.all(stacks.map(({ backend }) => openMove(backend)));
  const names = stacks.map(({ stack }) => stack);
  found.forEach((move, at) => {
    if (move === undefined) return;
    const isBetween = names.includes(move.from.stack) && names.includes(move.to.stack);
    if (!isBetween) rejectOpenMove(move, stacks[at]!.backend.journal.description);
  });
  return found.find((move) => move !== undefined);
}

function requireDistinctStates(source: LockedStack, target: LockedStack): void {
  if (source.backend.description !== target.backend.description) return;
  fail({
    code: "state_move_refused",
    summary: "Can't be moved",
    detail: `The stacks "${source.stack}" and "${target.stack}" keep their states in the same place, ${source.backend.description}. Nothing was changed. Give each stack its own state.`,
  });
}
