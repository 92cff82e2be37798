import type { ViewArguments } from "../arguments/command-line";
import type { Terminal } from "../terminal/terminal";
import { HumanRunView } from "./human-run-view";
import { JsonRunView } from "./json/json-run-view";
import type { RunView } from "./run-view";

/** The view for the output format that the command line selects. */
export const createRunView = (
  args: ViewArguments & { readonly summary?: boolean },
  terminal: Terminal,
  planner?: string,
): RunView =>
  args.json ? new JsonRunView(terminal) : new HumanRunView(terminal, args.color, planner, args.summary);
