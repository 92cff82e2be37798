import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Terminal } from "../terminal/terminal";

/** A program with its arguments and environment. */
export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The program gets its own process group. Otherwise Ctrl-C would reach it twice, from the terminal and from
 * this process, and Terraform exits at the second one without saving.
 */
const OWN_GROUP = process.platform !== "win32";

/** Signals that terminals send to the foreground group, in addition to termination signals. */
const FORWARDED_SIGNALS = ["SIGQUIT", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs a program with the standard streams of this process. Each signal to this process is forwarded once.
 *
 * @returns its exit code; 128 plus the signal number if a signal ended it
 * @throws Error if it can't be started
 */
export function runProgram(
  { program, args, env }: ProgramRun,
  { folder, onInterrupt }: Pick<Terminal, "folder" | "onInterrupt">,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env, detached: OWN_GROUP, stdio: "inherit" });
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
  if (!OWN_GROUP || child.pid === undefined) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch (problem) {
    // The group has ended in the meantime.
    if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
  }
}
