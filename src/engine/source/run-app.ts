import { spawn } from "node:child_process";
import { fail } from "../../diagnostics";
import { parseJson } from "../../json";
import { quotedLines } from "../../text";
import type { AppSettings } from "./app-settings";
import type { Environment, Loading } from "./environment";

/** What an app wrote, and how it ended. */
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It was asked to end, as this process was. */
  readonly isInterrupted: boolean;
}

/** How long an app that is asked to end may take, in milliseconds. */
const PATIENCE = 5_000;

/** Runs the app through the shell, as the cdktf CLI does, and waits for its end. Fails with the app's own words. */
export async function runApp(settings: AppSettings, loading: Loading): Promise<void> {
  const { onEvent } = loading;
  onEvent?.({ kind: "log", level: "info", message: `running the app: ${settings.app}` });
  onEvent?.({ kind: "app", phase: "started" });
  const ended = await runShell(settings.app, loading, environment(settings, loading.env)).finally(() =>
    onEvent?.({ kind: "app", phase: "ended" }),
  );
  if (ended.isInterrupted) interrupted(settings.app);
  for (const line of `${ended.stdout}${ended.stderr}`.split("\n")) {
    if (line !== "") onEvent?.({ kind: "log", level: "debug", message: `app: ${line}` });
  }
  if (ended.code !== 0) appFailed(settings.app, ended);
}

/** The environment in which the cdktf CLI runs an app. */
function environment(
  { output, relativeModules, context }: AppSettings,
  env: Environment["env"],
): NodeJS.ProcessEnv {
  // Variables have their values when a plan is made; an app that saw them would write them into its stacks.
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("TF_VAR_")));
  return {
    // Apps with large generated bindings outgrow Node's default.
    NODE_OPTIONS: "--max-old-space-size=4096",
    ...own,
    CHECKPOINT_DISABLE: "1",
    CDKTF_OUTDIR: output,
    CDKTF_CONTEXT_JSON: JSON.stringify({
      ...context,
      ...contextOf(env),
      cdktfRelativeModules: relativeModules,
    }),
    // Errors that constructs attach to themselves then come with the manifest, each with its construct.
    CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: "true",
    SYNTH_HCL_OUTPUT: "false",
  };
}

/** Context that the caller's environment brings, which comes before that of cdktf.json. */
function contextOf(env: Environment["env"]): object {
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

function runShell(command: string, loading: Loading, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that whatever the shell started ends with it.
    const detached = process.platform !== "win32";
    const end = (signal: "SIGTERM" | "SIGKILL") => {
      if (!detached || child.pid === undefined) return void child.kill(signal);
      try {
        process.kill(-child.pid, signal);
      } catch (problem) {
        // All of it ended by itself in the meantime.
        if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
      }
    };
    let killing: NodeJS.Timeout | undefined;
    const stop = () => {
      loading.onEvent?.({ kind: "app", phase: "stopping" });
      end("SIGTERM");
      killing = setTimeout(() => end("SIGKILL"), PATIENCE);
    };
    const kill = () => end("SIGKILL");
    loading.stop?.addEventListener("abort", stop, { once: true });
    loading.abort?.addEventListener("abort", kill, { once: true });
    // Started only now: a signal that comes at once is to end the app as well.
    const child = spawn(command, {
      shell: true,
      cwd: loading.folder,
      env,
      detached,
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
    detail: `The run was interrupted while the app ran, and the command \`${command}\` was stopped. Nothing was changed.`,
  });

function appFailed(command: string, { code, signal, stdout, stderr }: Ended): never {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const words = [
    ...section("on stderr", stderr),
    ...section("on stdout", stdout),
    ...(stderr.trim() === "" && stdout.trim() === "" ? ["", "It wrote nothing."] : []),
  ];
  return fail({
    code: "app_failed",
    summary: "The app failed",
    detail: [`The command \`${command}\` ended ${how}.`, ...words],
  });
}

function section(where: string, text: string): string[] {
  if (text.trim() === "") return [];
  return ["", `It wrote ${where}:`, ...quotedLines(text.trimEnd())];
}
