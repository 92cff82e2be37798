import path from "node:path";
import { fail, hintFor, LIST_OBJECTS } from "../../diagnostics";
import {
  addressesOf,
  digestOf,
  emptyState,
  formatState,
  hasSameContent,
  LocalBackend,
  pushedSerial,
  readAddress,
  requirePushable,
  type State,
  type StateBackend,
  selectInstances,
  type Version,
} from "../../state";
import { requireRecovered } from "../recovery/merge-journal";
import type { LoadedStacks, Stack } from "../source/load-stacks";
import { requireSeparateStates } from "../source/separate-states";
import { backendOf, type EditOptions, withLock } from "../source/state-file";
import { stateOfStack, statesOf } from "../source/states-of-stacks";
import type { Environment } from "../stack-run/context";

/** The backend of a stack's state. */
export interface StatePlace {
  /** The name of the stack; undefined for a file, and for a configuration without an app. */
  readonly stack: string | undefined;
  readonly backend: StateBackend;
}

/** A state and its place. */
export interface NamedState extends StatePlace {
  /** The state; undefined before the first apply. */
  readonly state: State | undefined;
}

/** Returns the backend that a stack's configuration defines for its state. */
export const statePlace = (stack: Stack, environment: Environment): StatePlace => ({
  stack: stack.name,
  backend: backendOf(stateOfStack(stack), undefined, environment),
});

/**
 * Returns the backends of several stacks' states.
 *
 * @throws DiagnosticError `state_place_shared` if two states of the app would use the same backend
 */
export async function statePlaces(loaded: LoadedStacks, environment: Environment): Promise<StatePlace[]> {
  await requireSeparateStates(statesOf(loaded, environment));
  return loaded.stacks.map((stack) => statePlace(stack, environment));
}

/** Returns the place of a state in a file, without a configuration. */
export const stateFile = (file: string, { folder }: Pick<Environment, "folder">): StatePlace => ({
  stack: undefined,
  backend: new LocalBackend(path.resolve(folder, file)),
});

/** Reads states without their locks. */
export const readStates = (places: readonly StatePlace[]): Promise<NamedState[]> =>
  Promise.all(places.map(async (place) => ({ ...place, state: await place.backend.read() })));

/**
 * Returns the only state that holds objects at all of these addresses. If there is only one state, returns it without a check.
 *
 * @throws DiagnosticError if no state or several states match
 */
export function stateHolding(states: readonly NamedState[], addresses: readonly string[]): NamedState {
  if (states.length === 1) return states[0]!;
  const parsed = addresses.map(readAddress);
  const holding = states.filter(({ state }) =>
    parsed.every((address) => state !== undefined && selectInstances(state, address).length > 0),
  );
  if (holding.length === 1) return holding[0]!;
  const words = addresses.join(" and ");
  const known = states.flatMap(({ state }) =>
    state === undefined ? [] : addressesOf(selectInstances(state)),
  );
  const { hint, action } = hintFor(words, known, LIST_OBJECTS);
  return holding.length === 0
    ? fail({
        code: "state_object_not_found",
        summary: "Not in the state",
        detail: `No state of the stacks ${namesOf(states)} contains ${words}. ${hint}`,
        ...(action !== undefined && { action }),
      })
    : fail({
        code: "invalid_arguments",
        summary: "Several stacks",
        detail: `The states of several stacks contain ${words}: ${namesOf(holding)}. Choose one with --stack NAME.`,
      });
}

const namesOf = (states: readonly StatePlace[]): string => states.map(({ stack }) => stack).join(", ");

/**
 * Acquires the lock of a state, reads the state again, and edits it.
 *
 * @returns the result of `edit`
 * @throws DiagnosticError if an interrupted run is not recovered
 */
export function editState<T extends { readonly state: State }>(
  backend: StateBackend,
  options: EditOptions,
  edit: (state: State) => T,
): Promise<T> {
  return withLock(backend, options, async () => {
    await requireRecovered(backend);
    const edited = edit((await backend.read()) ?? emptyState());
    await backend.write(edited.state);
    return edited;
  });
}

/** A state to push, and whether it may replace an unrelated state or a newer version. */
export interface PushRequest {
  readonly state: State;
  readonly force: boolean;
}

/**
 * The versions of a state before and after a push. The versions are equal if nothing changed. `before` is undefined if
 * there was no state.
 */
export interface PushedState {
  readonly before: Version | undefined;
  readonly after: Version;
}

/**
 * Acquires the lock of a state, and replaces the state by another state.
 *
 * @throws DiagnosticError `state_lineage_differs`, `state_serial_older`, or `journal_not_settled` if an interrupted run is not
 * recovered
 */
export function pushState(
  backend: StateBackend,
  request: PushRequest,
  options: EditOptions,
): Promise<PushedState> {
  return withLock(backend, options, async () => {
    const planned = await previewPush(backend, request);
    await backend.replace(request.state);
    return planned;
  });
}

/**
 * Returns the versions before and after a push. Changes nothing.
 *
 * @throws DiagnosticError in the same cases as `pushState`
 */
export async function previewPush(
  backend: StateBackend,
  { state, force }: PushRequest,
): Promise<PushedState> {
  await requireRecovered(backend);
  const saved = await backend.read();
  const { version: before, description } = backend;
  if (before !== undefined && saved !== undefined && hasSameContent(saved, state))
    return { before, after: before };
  if (!force) requirePushable(state, before, description);
  const digest = digestOf(formatState(state));
  return { before, after: { serial: pushedSerial(state, before), lineage: state.lineage, digest } };
}
