import path from "node:path";
import { fail } from "../../diagnostics";
import { backendOf } from "../../engine";
import { LocalBackend, readAddress, type State, type StateBackend, selectInstances } from "../../state";
import type { SourceArguments, StateArguments } from "../arguments/stack-options";
import type { Terminal } from "../terminal/terminal";
import { loadNamedStacks } from "./load-stacks";

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

/** The outputs in a state. */
export interface NamedOutputs extends Pick<StatePlace, "stack"> {
  readonly outputs: State["outputs"];
}

/** Where the states are that are asked for: in a file by itself, which needs no configuration, or those of the stacks. */
export async function statePlaces(
  args: SourceArguments & StateArguments,
  terminal: Terminal,
): Promise<StatePlace[]> {
  if (args.state !== undefined) {
    return [{ stack: undefined, backend: new LocalBackend(path.resolve(terminal.folder, args.state)) }];
  }
  const { stacks } = await loadNamedStacks(args, terminal);
  return stacks.map((stack) => ({
    stack: stack.name,
    backend: backendOf(stack, undefined, terminal),
  }));
}

/** The states that are asked for. A file that was named has to be there. */
export async function readStates(
  args: SourceArguments & StateArguments,
  terminal: Terminal,
): Promise<NamedState[]> {
  const places = await statePlaces(args, terminal);
  return Promise.all(
    places.map(async (place) => {
      const state = await place.backend.read();
      if (state === undefined && args.state !== undefined) notFound(place.backend.description);
      return { ...place, state };
    }),
  );
}

const notFound = (file: string): never =>
  fail({
    code: "state_not_found",
    summary: "No state",
    detail: `There is no state in ${file}. Check the path; a state is written by the first apply.`,
  });

/** The one state that holds something at each of these addresses; where there is one state alone, that. */
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
