import { fail } from "../../diagnostics";
import type { MoveSelection, StateMove } from "../../state";
import { providerInConfiguration } from "../objects/objects";
import { openMove } from "../recovery/merge-journal";
import {
  type ChooseMoves,
  executeMove,
  type LockedStack,
  movesOfAddress,
  movesOfPatterns,
  planMove,
  rejectOpenMove,
} from "../recovery/state-move";
import type { LoadedStacks, Stack } from "../source/load-stacks";
import { ownerOf, requireSeparateStates } from "../source/separate-states";
import { type EditOptions, withLock } from "../source/state-file";
import type { GivenVariable } from "../source/variables";
import type { Environment, RunContext } from "../stack-run/context";
import { declaredElsewhere } from "../stacks/declared-elsewhere";
import { contextOf } from "./run-stacks";
import { statePlace } from "./states";

/** The data that are needed to evaluate the declarations of the two stacks. */
export interface Declarations extends Pick<RunContext, "providers"> {
  readonly loaded: LoadedStacks;
  readonly variables: readonly GivenVariable[];
}

/** The selection of the objects to move. */
export type MoveChoice =
  /** The address of the objects in the source, and their new address in the target. */
  | { readonly addresses: readonly [from: string, to: string] }
  /**
   * Patterns for the addresses of the objects in the source. All objects with a matching address move. `*` matches any text.
   */
  | { readonly patterns: readonly string[] }
  /** Data to evaluate the declarations of both stacks. An object in the source moves if the target stack declares it. */
  | { readonly declared: Declarations };

/** A request to move objects from the state of one stack to the state of another stack. */
export type MoveRequest = MoveChoice & { readonly source: Stack; readonly target: Stack };

/** The options of a move. */
export interface MoveOptions extends Omit<EditOptions, "operation"> {
  /** Receives each move before it is executed. The unfinished move of an interrupted command comes first. */
  readonly onPlanned?: ((move: StateMove) => void) | undefined;
}

/**
 * Plans a move between two stacks, and changes nothing. If an interrupted command left an unfinished move between these stacks,
 * returns the unfinished move instead.
 */
export async function previewMove(request: MoveRequest, environment: Environment): Promise<StateMove> {
  const { source, target } = request;
  const stacks = [lockedStack(source, environment), lockedStack(target, environment)] as const;
  await requireDistinctStates(...stacks);
  const { selection, choose } = chosenBy(request, environment);
  return (await unfinishedMove(...stacks)) ?? planMove(...stacks, selection, choose);
}

/**
 * Moves objects from the state of one stack to the state of another stack. First completes an unfinished move between these
 * stacks.
 *
 * @returns the requested move
 */
export async function moveBetweenStacks(
  request: MoveRequest,
  environment: Environment,
  options: MoveOptions,
): Promise<StateMove> {
  const { source, target } = request;
  const [from, to] = [lockedStack(source, environment), lockedStack(target, environment)];
  await requireDistinctStates(from, to);
  const { selection, choose } = chosenBy(request, environment);
  const finish = (move: StateMove): Promise<unknown> => {
    options.onPlanned?.(move);
    const [first, second, end] = move.from.stack === from.stack ? [from, to, target] : [to, from, source];
    return executeMove(move, first.backend, second.backend, providerInConfiguration(end.configuration));
  };
  return withBothLocks(from, to, options, async () => {
    const open = await unfinishedMove(from, to);
    if (open !== undefined) {
      await finish(open);
      if (open.from.stack === from.stack && isSameSelection(open, selection)) return open;
    }
    const requested = await planMove(from, to, selection, choose);
    await finish(requested);
    return requested;
  });
}

/**
 * Returns the selection of a request in the form that the journal records, and the function that chooses the objects from the two
 * states.
 */
function chosenBy(
  request: MoveRequest,
  environment: Environment,
): { readonly selection: MoveSelection; readonly choose: ChooseMoves } {
  if ("addresses" in request) {
    const { addresses } = request;
    return { selection: { addresses }, choose: movesOfAddress(addresses) };
  }
  if ("patterns" in request) {
    const { patterns } = request;
    return { selection: { patterns }, choose: movesOfPatterns(patterns) };
  }
  const { source, target, declared } = request;
  const [holder, declarer] = [source, target].map(({ configuration }) =>
    contextOf(configuration, declared.loaded, declared, environment),
  );
  return {
    selection: { declared: true },
    choose: (held, there) =>
      declaredElsewhere({ context: holder!, state: held }, { context: declarer!, state: there }),
  };
}

/** Returns whether an unfinished move has the same objects as the requested move. */
function isSameSelection(open: MoveSelection, asked: MoveSelection): boolean {
  if ("addresses" in open)
    return "addresses" in asked && open.addresses.every((one, at) => one === asked.addresses[at]);
  // For patterns or declarations, the objects can differ from the objects of the unfinished move. Since the interruption, more
  // objects may match or be declared.
  return false;
}

const lockedStack = (stack: Stack, environment: Environment): LockedStack => ({
  ...statePlace(stack, environment),
  stack: stack.name!,
});

/**
 * Holds the locks of both states while it runs `work`. Moves in both directions acquire the locks in the same order, so that
 * two commands can't wait for each other.
 */
function withBothLocks<T>(
  source: LockedStack,
  target: LockedStack,
  options: Omit<EditOptions, "operation">,
  work: () => Promise<T>,
): Promise<T> {
  const [first, second] =
    source.backend.description < target.backend.description ? [source, target] : [target, source];
  const locking = { ...options, operation: "state mv" };
  return withLock(first.backend, locking, () => withLock(second.backend, locking, work));
}

/**
 * Returns the unfinished move between these two stacks; undefined if there is none.
 *
 * @throws DiagnosticError for any other unfinished move, and for an interrupted run
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

/**
 * Checks that two stacks have separate states.
 *
 * @throws DiagnosticError `state_move_refused` for a move within one stack, because such a move would wait for its own lock
 * @throws DiagnosticError `state_place_shared` if two stacks have the same state
 */
function requireDistinctStates(source: LockedStack, target: LockedStack): Promise<void> {
  if (source.stack === target.stack)
    fail({
      code: "state_move_refused",
      summary: "Source and target are the same stack",
      detail: `The stack "${source.stack}" is both the source and the target of the move. Nothing was changed. Name two stacks. To move within one state, omit --from-stack and --to-stack.`,
    });
  return requireSeparateStates(
    [source, target].map(({ stack, backend }) => ({ owner: ownerOf(stack), stack, backend })),
  );
}
