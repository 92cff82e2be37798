import path from "node:path";
import { fail } from "../../diagnostics";
import { LocalBackend } from "../../engine/state/local-backend";
import type { State } from "../../engine/state/model";
import type { SourceArguments, StateArguments } from "../arguments/stack-options";
import { createLog } from "../log";
import type { Terminal } from "../terminal";
import { loadStacks } from "./load-stacks";
import { backendOf } from "./state-file";

/** A state as it was read. */
export interface NamedState {
  /** The stack's name; nothing where a file or a configuration was named. */
  readonly stack: string | undefined;
  /** Nothing where nothing was applied yet. */
  readonly state: State | undefined;
}

/** The states that are asked for: a file by itself, which needs no configuration, or those of the stacks. */
export async function readStates(
  args: SourceArguments & StateArguments,
  terminal: Terminal,
): Promise<NamedState[]> {
  if (args.state !== undefined) {
    const backend = new LocalBackend(path.resolve(terminal.folder, args.state));
    const state = (await backend.read()) ?? notFound(backend.description);
    return [{ stack: undefined, state }];
  }
  const { stacks } = await loadStacks(args, terminal, createLog(terminal));
  return Promise.all(
    stacks.map(async (stack) => {
      const backend = backendOf(stack, undefined, terminal.folder);
      return { stack: stack.name, state: await backend.read() };
    }),
  );
}

const notFound = (file: string): never =>
  fail({
    code: "state_not_found",
    summary: "No state",
    detail: `There is no state in ${file}. Check the path; a state is written by the first apply.`,
  });

/** The one state, where only one can be shown. */
export function onlyOne(states: readonly NamedState[], what: string): NamedState {
  const [first, second] = states;
  if (first !== undefined && second === undefined) return first;
  return fail({
    code: "invalid_arguments",
    summary: "Several stacks",
    detail: `The app has several stacks (${states.map(({ stack }) => stack).join(", ")}), and ${what} shows one. Choose it with --stack NAME.`,
  });
}
