// Where the time of a no-change plan goes. Run as a program it measures one in its own process, so that each begins cold.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createPlan } from "../../src/engine/plan/create-plan";
import { loadConfiguration } from "../../src/language";
import { createProvider, PROVIDER_SOURCE } from "../../src/provider";
import { LocalBackend } from "../../src/state/backends/local-backend";

/** Seconds. Planning of what is known goes on while the rest is still read: that counts as refresh. */
export interface Split {
  /** Reading the configuration and the state. */
  readonly load: number;
  /** Checking and evaluating, until the first object is looked at. */
  readonly evaluate: number;
  /** From the first look at an object to the last one's answer. */
  readonly refresh: number;
  readonly diff: number;
  /** Writing the state, whole. */
  readonly write: number;
}

export async function splitOf(folder: string, state: string, env: NodeJS.ProcessEnv): Promise<Split> {
  const child = spawn(process.execPath, ["--import", "tsx", __filename, folder, state], {
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [split] = (await once(child, "message")) as [Split];
  await once(child, "exit");
  return split;
}

async function measure(folder: string, file: string): Promise<Split> {
  const marks = [performance.now()];
  const mark = () => marks.push(performance.now());
  const configuration = loadConfiguration(folder);
  const backend = new LocalBackend(file);
  const state = await backend.read();
  mark();
  let [first, last] = [0, 0];
  const onEvent = ({ kind }: { kind: string }): void => {
    if (kind === "refresh_start") first ||= performance.now();
    if (kind === "refresh_complete") last = performance.now();
  };
  const providers = { [PROVIDER_SOURCE]: createProvider() };
  const plan = await createPlan({ configuration, variables: {}, providers, onEvent }, state);
  mark();
  if (plan.hasChanges || plan.diagnostics.length > 0)
    throw new Error("The plan of the benchmark should be empty.");
  const written = new LocalBackend(`${file}.again`);
  await written.write(state!);
  mark();
  const [began, loaded, planned, saved] = marks as [number, number, number, number];
  const seconds = (from: number, to: number): number => (to - from) / 1000;
  return {
    load: seconds(began, loaded),
    evaluate: seconds(loaded, first),
    refresh: seconds(first, last),
    diff: seconds(last, planned),
    write: seconds(planned, saved),
  };
}

if (require.main === module) {
  const [folder, state] = process.argv.slice(2) as [string, string];
  measure(folder, state).then((split) => process.send!(split));
}
