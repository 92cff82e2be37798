import { existsSync } from "node:fs";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { fail } from "../../diagnostics";
import {
  type LoadedStacks,
  type LoadOptions,
  loadStacks,
  type NamedState,
  readStates,
  type StackSource,
  type StatePlace,
  stateFile,
  statePlaces,
} from "../../engine";
import { invalid } from "../arguments/option";
import type { SourceArguments, StateArguments } from "../arguments/shared-options";
import { WAIVED_RULE, WITHHELD_FROM_APP } from "../terminal/app-environment";
import { interruptible } from "../terminal/interruption";
import { createLog } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";

/**
 * Returns the source of the stacks: an app, the configuration of `--config`, or a manifest. If the folder of `--config` has a
 * manifest, Steward loads the stacks that the manifest lists.
 */
function sourceOf({ config, app, output }: SourceArguments, folder: string): StackSource {
  if (config === undefined) return { app, output };
  const isOutput = existsSync(path.join(path.resolve(folder, config), "manifest.json"));
  return isOutput ? { manifest: config } : { configuration: config };
}

/** Loads the stacks that the command line selects. */
export async function loadNamedStacks(
  args: SourceArguments,
  terminal: Terminal,
  options: Pick<LoadOptions, "addedForApp" | "reportsUnknownStacks"> = {},
): Promise<LoadedStacks> {
  const source = sourceOf(args, terminal.folder);
  if (args.shard !== undefined && "configuration" in source)
    invalid(
      "Conflicting options",
      "--shard divides the stacks of an app, but --config names a single configuration. Omit one of them.",
    );
  const loaded = await whileLoading(terminal, (loading) =>
    loadStacks(source, args.shard ?? args.stacks ?? [], { ...loading, ...options }),
  );
  let count = 0;
  for (const { configuration } of loaded.stacks) count += configuration.resources.size;
  if (count >= MANY_OBJECTS) setFlagsFromString(SLOW_GROWTH);
  return loaded;
}

/**
 * The V8 flag for runs with many objects: the heap may grow only to twice its live size before V8 collects it. By default,
 * the heap grows to several times its live size. With 100,000 objects, the live size is almost a gigabyte, and the flag keeps
 * peaks below 2 GB. A lower value costs time: with 50, a run takes a sixth longer.
 */
const SLOW_GROWTH = "--heap-growing-percent=100";
const MANY_OBJECTS = 50_000;

/**
 * Runs a function that loads stacks, in the terminal's folder. The first signal asks a running app to end, and the second
 * signal kills the app.
 */
export function whileLoading<T>(terminal: Terminal, load: (loading: LoadOptions) => Promise<T>): Promise<T> {
  const { folder, err } = terminal;
  const { [WAIVED_RULE]: waived, ...env } = terminal.env;
  if (waived !== undefined)
    err.line(
      `Warning: the environment variable ${WAIVED_RULE} is ignored. Accept a rule for one run with --waive RULE --reason TEXT.`,
    );
  const log = createLog(terminal);
  const onEvent: LoadOptions["onEvent"] = (event) => {
    if (event.kind === "log") log.write(event.level, event.message);
    else if (event.phase === "stopping")
      err.line("Stopping: waiting for the app to end. A second signal kills it and exits immediately.");
  };
  // `onEvent` already prints a notice about the app after a signal, so the notice for `interruptible` is empty.
  const notice = () => undefined;
  const environment = { folder, env, withheldFromApp: WITHHELD_FROM_APP };
  return interruptible(terminal, notice, (signals) => load({ ...environment, ...signals, onEvent }));
}

/** Returns the locations of the states. With `args.state`, returns the location of that state file and loads no stacks. */
export const namedStatePlaces = async (
  args: SourceArguments & StateArguments,
  terminal: Terminal,
): Promise<StatePlace[]> =>
  args.state === undefined
    ? statePlaces(await loadNamedStacks(args, terminal), terminal)
    : [stateFile(args.state, terminal)];

/** Reads the requested states. If the command line names a state file, the file must exist. */
export async function readNamedStates(
  args: SourceArguments & StateArguments,
  terminal: Terminal,
  places?: readonly StatePlace[],
): Promise<NamedState[]> {
  const states = await readStates(places ?? (await namedStatePlaces(args, terminal)));
  const missing = states.find(({ state }) => state === undefined);
  if (args.state !== undefined && missing !== undefined)
    fail({
      code: "state_not_found",
      summary: "No state",
      detail: `The state in ${missing.backend.description} does not exist. Check the path. The first apply writes the state.`,
    });
  return states;
}
