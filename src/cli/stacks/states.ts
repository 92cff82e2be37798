import { fail } from "../../diagnostics";
import {
  editState,
  type NamedState,
  readStates,
  type State,
  type StateBackend,
  type StatePlace,
  stateFile,
  statePlaces,
} from "../../engine";
import type { SourceArguments, StateArguments } from "../arguments/stack-options";
import type { Terminal } from "../terminal/terminal";
import { whileEditing } from "./interruption";
import { loadNamedStacks } from "./load-stacks";

/** The outputs in a state. */
export interface NamedOutputs extends Pick<StatePlace, "stack"> {
  readonly outputs: State["outputs"];
}

/**
 * The locations of the requested states: a file, which needs no configuration, or the states of the stacks.
 */
export const namedStatePlaces = async (
  args: SourceArguments & StateArguments,
  terminal: Terminal,
): Promise<StatePlace[]> =>
  args.state === undefined
    ? statePlaces(await loadNamedStacks(args, terminal), terminal)
    : [stateFile(args.state, terminal)];

/** The requested states. A state file on the command line has to exist. */
export async function readNamedStates(
  args: SourceArguments & StateArguments,
  terminal: Terminal,
): Promise<NamedState[]> {
  const states = await readStates(await namedStatePlaces(args, terminal));
  const missing = states.find(({ state }) => state === undefined);
  if (args.state !== undefined && missing !== undefined) notFound(missing.backend.description);
  return states;
}

const notFound = (file: string): never =>
  fail({
    code: "state_not_found",
    summary: "No state",
    detail: `There is no state in ${file}. Check the path; a state is written by the first apply.`,
  });

/** Edits a state under its lock. A signal cancels the wait for the lock, but not an edit in progress. */
export const editNamedState = <T extends { readonly state: State }>(
  backend: StateBackend,
  request: { readonly operation: string; readonly timeoutMs: number },
  terminal: Pick<Terminal, "err" | "onInterrupt" | "abort">,
  edit: (state: State) => T,
): Promise<T> =>
  whileEditing(terminal, (onNotice, signal) => editState(backend, { ...request, onNotice, signal }, edit));
