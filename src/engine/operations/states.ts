import path from "node:path";
import { fail } from "../../diagnostics";
import {
  emptyState,
  LocalBackend,
  readAddress,
  type State,
  type StateBackend,
  selectInstances,
} from "../../state";
import { requireRecovered } from "../recovery/pending-journal";
import type { Environment } from "../source/environment";
import type { LoadedStacks, Stack } from "../source/load-stacks";
import { backendOf } from "../source/state-file";
import { withLock } from "../source/with-lock";

/** Where a stack's state is kept. */
export interface StatePlace {
  /** The stack's name; nothing where a file or a configuration was named. */
  readonly stack: string | undefined;
  readonly backend: StateBackend;
}

/** A state as it was read. */
export interface NamedState extends StatePlace {
  /** Nothing where nothing was applied yet. */
  readonly state: State | undefined;
}

/** Where a stack's state is kept, as its configuration says. */
export const statePlace = (stack: Stack, environment: Environment): StatePlace => ({
  stack: stack.name,
  backend: backendOf(stack, undefined, environment),
});

/** Where the states of stacks are kept. */
export const statePlaces = ({ stacks }: LoadedStacks, environment: Environment): StatePlace[] =>
  stacks.map((stack) => statePlace(stack, environment));

/** A state in a file, which needs no configuration. */
export const stateFile = (file: string, { folder }: Pick<Environment, "folder">): StatePlace => ({
  stack: undefined,
  backend: new LocalBackend(path.resolve(folder, file)),
});

/** Reads states, without their locks. */
export const readStates = (places: readonly StatePlace[]): Promise<NamedState[]> =>
  Promise.all(places.map(async (place) => ({ ...place, state: await place.backend.read() })));

/**
 * The one state that holds something at each of these addresses; where there is one state alone, that.
 *
 * @throws DiagnosticError where none or several do
 */
export function stateHolding(states: readonly NamedState[], addresses: readonly string[]): NamedState {
  if (states.length === 1) return states[0]!;
  const parsed = addresses.map(readAddress);
  const holding = states.filter(({ state }) =>
    parsed.every((address) => state !== undefined && selectInstances(state, address).length > 0),
  );
  if (holding.length === 1) return holding[0]!;
  const words = addresses.join(" and ");
  return holding.length === 0
    ? fail({
        code: "state_object_not_found",
        summary: "Not in the state",
        detail: `No state of the stacks (${namesOf(states)}) holds ${words}. \`steward state list\` lists what they hold.`,
      })
    : fail({
        code: "invalid_arguments",
        summary: "Several stacks",
        detail: `The states of several stacks hold ${words}: ${namesOf(holding)}. Choose one with --stack NAME.`,
      });
}

const namesOf = (states: readonly StatePlace[]): string => states.map(({ stack }) => stack).join(", ");

/** How a state is edited. */
export interface EditOptions {
  /** What the state is locked for, as others are told that wait for it. */
  readonly operation: string;
  /** How long to wait for a state that another run holds, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the wait for the lock. */
  readonly signal?: AbortSignal | undefined;
  /** Told what is waited for, and whose lock was taken over. */
  readonly onNotice: (text: string) => void;
}

/**
 * Changes a state under its lock: as it is then, whatever was read before. Answers with what the change tells.
 *
 * @throws DiagnosticError where an interrupted run is not recovered yet
 */
export function editState<T extends { readonly state: State }>(
  backend: StateBackend,
  { onNotice, operation, timeoutMs, signal }: EditOptions,
  edit: (state: State) => T,
): Promise<T> {
  return withLock(backend, { operation, timeoutMs, ...(signal && { signal }) }, onNotice, async () => {
    await requireRecovered(backend);
    const edited = edit((await backend.read()) ?? emptyState());
    await backend.write(edited.state);
    return edited;
  });
}
