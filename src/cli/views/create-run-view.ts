import type { ViewArguments } from "../arguments/stack-options";
import type { Terminal } from "../terminal/terminal";
import { HumanRunView } from "./human-run-view";
import { JsonRunView } from "./json/json-run-view";
import { MergedRunView } from "./merged-run-view";
import { type Renderer, RunView } from "./run-view";

interface ViewOptions {
  /** The program that makes the plans; this one by default. */
  readonly planner?: string;
  /** Shows equal changes of different stacks once, at the end of a run that only reads. */
  readonly merges?: boolean;
  /** Further outputs, such as reports. */
  readonly observers?: readonly Renderer[];
}

/** The output in the format that the command line selects. */
export function createRunView(
  args: ViewArguments & { readonly summary?: boolean },
  terminal: Terminal,
  { planner, merges = false, observers = [] }: ViewOptions = {},
): RunView {
  if (args.json) return new RunView(new JsonRunView(terminal), ...observers);
  const view = new HumanRunView(terminal, args.color, planner, args.summary);
  return new RunView(merges ? new MergedRunView(view) : view, ...observers);
}
