import { type LoadedStacks, type Loading, loadStacks, type StackSource } from "../../engine";
import type { SourceArguments } from "../arguments/stack-options";
import { createLog } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { Interruption } from "./interruption";

/** Where the command line says that stacks come from. */
const sourceOf = ({ config, app, output }: SourceArguments): StackSource =>
  config === undefined ? { app, output } : { configuration: config };

/** Loads the stacks that the command line names. */
export const loadNamedStacks = (args: SourceArguments, terminal: Terminal): Promise<LoadedStacks> =>
  whileLoading(terminal, (loading) => loadStacks(sourceOf(args), args.stacks, loading));

/** Loads something in the terminal's folder; the first signal asks the app that runs for it to end, the second kills it. */
export async function whileLoading<T>(
  terminal: Terminal,
  load: (loading: Loading) => Promise<T>,
): Promise<T> {
  const { folder, env, err } = terminal;
  const log = createLog(terminal);
  // What the signal does to the app is all there is to tell.
  const interruption = new Interruption(terminal, () => undefined);
  const { stop, abort } = interruption;
  try {
    return await load({
      folder,
      env,
      stop,
      abort,
      onEvent: (event) => {
        if (event.kind === "log") log.write(event.level, event.message);
        else if (event.phase === "stopping")
          err.line("Stopping: the app is asked to end. Another signal ends it and steward at once.");
      },
    });
  } finally {
    interruption.close();
  }
}
