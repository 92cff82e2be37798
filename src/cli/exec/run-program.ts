import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { z } from "zod";
import { fail } from "../../diagnostics";
import { parseJson } from "../../json";
import { tokensIn } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";

/**
 * The program gets its own process group. Otherwise Ctrl-C would reach it twice, from the terminal and from
 * this process, and Terraform exits at the second one without saving.
 */
const HAS_OWN_GROUP = process.platform !== "win32";

/** Signals that terminals send to the foreground group, in addition to termination signals. */
const FORWARDED_SIGNALS = ["SIGQUIT", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs a program with the standard streams of this process. Each signal to this process is forwarded once.
 *
 * @returns its exit code; 128 plus the signal number if a signal ended it
 * @throws Error if it can't be started
 */
export function runProgram(
  { program, args, env }: Readonly<{ program: string; args: readonly string[]; env: NodeJS.ProcessEnv }>,
  { folder, onInterrupt }: Pick<Terminal, "folder" | "onInterrupt">,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env, detached: HAS_OWN_GROUP, stdio: "inherit" });
    const release = forwardSignals(child, onInterrupt);
    child.once("error", (problem) => {
      release();
      reject(problem);
    });
    child.once("exit", (code, signal) => {
      release();
      resolve(code ?? 128 + constants.signals[signal!]);
    });
  });
}

function forwardSignals(child: ChildProcess, onInterrupt: Terminal["onInterrupt"]): () => void {
  const forward = (signal: NodeJS.Signals) => {
    // Ctrl-C goes to all processes of the program, as on a terminal; a termination signal goes to the program
    // alone.
    if (signal === "SIGINT") signalGroup(child, signal);
    else child.kill(signal);
  };
  const suspend = () => {
    signalGroup(child, "SIGSTOP");
    process.kill(process.pid, "SIGSTOP");
  };
  const resume = () => signalGroup(child, "SIGCONT");
  // The program can't continue without the provider.
  const end = () => child.kill("SIGTERM");
  const stopListening = onInterrupt(forward);
  for (const signal of FORWARDED_SIGNALS) process.on(signal, signal === "SIGCONT" ? resume : forward);
  process.on("SIGTSTP", suspend);
  process.once("exit", end);
  return () => {
    stopListening();
    for (const signal of FORWARDED_SIGNALS) process.off(signal, signal === "SIGCONT" ? resume : forward);
    process.off("SIGTSTP", suspend);
    process.off("exit", end);
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!HAS_OWN_GROUP || child.pid === undefined) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch (problem) {
    // The group has ended in the meantime.
    if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const REATTACH = "TF_REATTACH_PROVIDERS";
const TOKEN = "STEWARD_TOKEN";
const TOKEN_FILE = "STEWARD_TOKEN_FILE";
/** A shorter token may occur in other values by chance. */
const MIN_TOKEN_LENGTH = 8;

/**
 * The environment for a program that uses the provider of this process: without the token, which the provider
 * has, and with the provider added to TF_REATTACH_PROVIDERS.
 *
 * @param reattach the provider's own entry of TF_REATTACH_PROVIDERS, as JSON
 * @throws DiagnosticError `reattach_invalid`
 */
export function programEnvironment(env: Environment, reattach: string): Record<string, string> {
  const others = reattachedIn(env);
  const own = z.record(z.string(), z.unknown()).parse(parseJson(reattach));
  const withheld = new Set(withheldNames(env));
  const remaining = Object.entries(env).filter(([name, value]) => value !== undefined && !withheld.has(name));
  return { ...Object.fromEntries(remaining), [REATTACH]: JSON.stringify({ ...others, ...own }) };
}

/**
 * The variables that hold the token or name its file. Terraform's own variables stay, such as
 * TF_HTTP_PASSWORD, since they are meant for Terraform.
 */
export function withheldNames(env: Environment): string[] {
  const tokens = tokensIn(env);
  const file = env[TOKEN_FILE];
  const hasToken = (value: string) =>
    value === file ||
    tokens.some(
      (token) => value.trim() === token || (token.length >= MIN_TOKEN_LENGTH && value.includes(token)),
    );
  return Object.entries(env).flatMap(([name, value = ""]) => {
    if (name === TOKEN || name === TOKEN_FILE) return [name];
    return value !== "" && !name.startsWith("TF_") && hasToken(value) ? [name] : [];
  });
}

/** The providers that other processes serve. */
function reattachedIn({ [REATTACH]: text }: Environment): Readonly<Record<string, unknown>> {
  if (!text) return {};
  try {
    return z.record(z.string(), z.looseObject({})).parse(parseJson(text));
  } catch {
    return fail({
      code: "reattach_invalid",
      summary: "Invalid TF_REATTACH_PROVIDERS",
      detail:
        `${REATTACH} is not a JSON object of providers, so this provider can't be added to it. ` +
        "The program was not started. Correct the variable, or unset it.",
    });
  }
}
