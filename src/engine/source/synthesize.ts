import { spawn } from "node:child_process";
import { fail } from "../../diagnostics";
import { parseJson } from "../../json";
import { quotedLines } from "../../text";
import type { Environment, LoadOptions } from "../stack-run/context";
import { type AppSettings, readAppSettings, readManifest, type StackEntry } from "./app-files";
import { recordSynthesis, removeManifest, removeObsolete } from "./synthesis-record";

/** The output of an app, and the way in which the app ended. */
interface AppResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether Steward asked the app to end because the run was interrupted. */
  readonly isInterrupted: boolean;
}

/** The time, in milliseconds, that an app has to end after SIGTERM. After this time, Steward kills the app. */
const STOP_TIMEOUT = 5_000;

/**
 * Runs the app in a shell, as the cdktf CLI does.
 *
 * @throws DiagnosticError `app_failed` with the app's own output, `interrupted`
 */
async function runApp(settings: AppSettings, loading: LoadOptions): Promise<void> {
  const { onEvent } = loading;
  onEvent?.({ kind: "log", level: "info", message: `running the app: ${settings.app}` });
  onEvent?.({ kind: "app", phase: "started" });
  const ended = await runShell(settings.app, loading, environment(settings, loading)).finally(() =>
    onEvent?.({ kind: "app", phase: "ended" }),
  );
  if (ended.isInterrupted) interrupted(settings.app);
  for (const line of `${ended.stdout}${ended.stderr}`.split("\n")) {
    if (line !== "") onEvent?.({ kind: "log", level: "debug", message: `app: ${line}` });
  }
  if (ended.code !== 0) appFailed(settings.app, loading.folder, ended);
}

/** Returns the environment variables for the app. The app gets the same variables as under the cdktf CLI. */
function environment(settings: AppSettings, { env, withheldFromApp = [], addedForApp }: LoadOptions) {
  const { output, relativeModules, context, appEnvironment } = settings;
  const withheld = new Set(withheldFromApp.filter((name) => !appEnvironment.includes(name)));
  // `TF_VAR_` variables contain the values of a plan's variables. An app that sees these values would write them into its stacks.
  const own = Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("TF_VAR_") && !withheld.has(name)),
  );
  return {
    // Apps with large generated bindings need more memory than Node's default limit.
    NODE_OPTIONS: "--max-old-space-size=4096",
    // By default, cdktf records a stack trace for each token and list of a construct, which takes a fifth of the synthesis time.
    // Constructs of this provider for cdktf also read this variable of cdktn. "false" in the caller's environment enables the
    // traces again.
    CDKTN_DISABLE_CREATION_STACK: "true",
    ...own,
    ...addedForApp,
    CHECKPOINT_DISABLE: "1",
    CDKTF_OUTDIR: output,
    CDKTF_CONTEXT_JSON: JSON.stringify({
      ...context,
      ...mergedContext(env),
      cdktfRelativeModules: relativeModules,
    }),
    // With this variable, the manifest contains the errors that constructs attach to themselves, each with its construct.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "true",
    SYNTH_HCL_OUTPUT: "false",
  };
}

/**
 * Returns the context from the environment of the caller. The caller's context takes precedence over the context in
 * cdktf.json.
 */
function mergedContext(env: Environment["env"]): object {
  try {
    return parseJson(env["CDKTF_CONTEXT_JSON"] || "{}") as object;
  } catch (problem) {
    return fail({
      code: "app_unknown",
      summary: "Invalid app settings",
      detail: `The environment variable CDKTF_CONTEXT_JSON is not JSON: ${(problem as Error).message}.`,
    });
  }
}

function runShell(command: string, loading: LoadOptions, env: NodeJS.ProcessEnv): Promise<AppResult> {
  return new Promise((resolve, reject) => {
    // The app runs in a process group, so that all processes of the shell end together with it.
    const isDetached = process.platform !== "win32";
    const end = (signal: "SIGTERM" | "SIGKILL") => {
      if (!isDetached || child.pid === undefined) return void child.kill(signal);
      try {
        process.kill(-child.pid, signal);
      } catch (problem) {
        // All processes have already ended.
        if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
      }
    };
    let killing: NodeJS.Timeout | undefined;
    const stop = () => {
      loading.onEvent?.({ kind: "app", phase: "stopping" });
      end("SIGTERM");
      killing = setTimeout(() => end("SIGKILL"), STOP_TIMEOUT);
    };
    const kill = () => end("SIGKILL");
    loading.stop?.addEventListener("abort", stop, { once: true });
    loading.abort?.addEventListener("abort", kill, { once: true });
    // The process starts after the listeners are set, because an immediate signal must also end the app.
    const child = spawn(command, {
      shell: true,
      cwd: loading.folder,
      env,
      detached: isDetached,
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (loading.stop?.aborted) stop();
    const stopListening = () => {
      clearTimeout(killing);
      loading.stop?.removeEventListener("abort", stop);
      loading.abort?.removeEventListener("abort", kill);
    };
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        text[name] += chunk;
      });
    }
    child.on("error", (problem) => {
      stopListening();
      reject(problem);
    });
    child.on("close", (code, signal) => {
      stopListening();
      resolve({ code, signal, ...text, isInterrupted: killing !== undefined });
    });
  });
}

const interrupted = (command: string): never =>
  fail({
    code: "interrupted",
    summary: "Interrupted",
    detail: `The run was interrupted while the app ran. The command \`${command}\` was stopped. Nothing was sent. Run the command again.`,
  });

function appFailed(command: string, folder: string, { code, signal, stdout, stderr }: AppResult): never {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const words = [
    ...section("on stderr", stderr),
    ...section("on stdout", stdout),
    ...(stderr.trim() === "" && stdout.trim() === "" ? ["", "It wrote nothing."] : []),
  ];
  return fail({
    code: "app_failed",
    summary: "The app failed",
    detail: [`The command \`${command}\` failed ${how}.`, ...missingPackage(folder, stderr), ...words],
  });
}

/** Returns advice if an app failed because a package is not installed. Otherwise, returns an empty list. */
function missingPackage(folder: string, stderr: string): string[] {
  if (!stderr.includes("MODULE_NOT_FOUND")) return [];
  // A module whose name is a path is a file of the app, or a file of a package.
  const name = /Cannot find (?:package|module) '((?:@[\w.-]+\/)?\w[\w.-]*)(?:\/[^']*)?'/.exec(stderr)?.[1];
  if (name === undefined) return [];
  return [
    `The app needs the package ${name}, which is not installed. Run \`npm install\` in ${folder}.`,
    `If the package.json of the app does not list the package, run \`npm install ${name}\`.`,
  ];
}

function section(where: string, text: string): string[] {
  if (text.trim() === "") return [];
  return ["", `It wrote ${where}:`, ...quotedLines(text.trimEnd())];
}

/** An app to run. Missing values come from `STEWARD_APP` and the `cdktf.json` of the working folder. */
export interface AppSource {
  /** The shell command. */
  readonly app?: string | undefined;
  /** The output folder. */
  readonly output?: string | undefined;
}

/** The result of synthesis. */
export interface Synthesized {
  readonly output: string;
  readonly stacks: readonly StackEntry[];
}

/**
 * Runs the app of the working folder and reads its output, in the layout of the cdktf CLI. Removes the files of earlier
 * syntheses for stacks that the app no longer has.
 *
 * @throws DiagnosticError `app_failed`, `nothing_synthesized`, `output_occupied`
 */
export async function synthesize(source: AppSource, loading: LoadOptions): Promise<Synthesized> {
  const synthesized = await runSynthesis(source, loading);
  removeObsolete(synthesized.output, synthesized.stacks);
  return synthesized;
}

/**
 * Runs the app and reads its output, but keeps the files of stacks that the app no longer has. The app can create these files
 * again in the next run, for example for another stage.
 */
export async function runSynthesis(source: AppSource, loading: LoadOptions): Promise<Synthesized> {
  const settings = readAppSettings(loading, source);
  const { output } = settings;
  removeManifest(output);
  await runApp(settings, loading);
  const stacks = readManifest(output);
  await recordSynthesis(output, stacks);
  return { output, stacks };
}
