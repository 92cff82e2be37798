import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Terminal } from "../terminal/terminal";

/** A program, and what it is run with. */
export interface ProgramRun {
  readonly program: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A process group of its own: Ctrl-C on a terminal goes to every process of the foreground group, and would reach the
 * program twice, by the terminal and by this process. Terraform ends at the second without saving.
 */
const OWN_GROUP = process.platform !== "win32";

/** What a terminal sends to the foreground group beside requests to end. */
const PASSED_ON = ["SIGQUIT", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs a program with the input and outputs of this process. Each signal that this process gets, the program gets once.
 *
 * @returns its exit code; 128 and the signal's number where a signal ended it
 * @throws Error where it can't be started
 */
export function runProgram(
  { program, words, env }: ProgramRun,
  { folder, onInterrupt }: Pick<Terminal, "folder" | "onInterrupt">,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: folder, env, detached: OWN_GROUP, stdio: "inherit" });
    const release = passSignals(child, onInterrupt);
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

function passSignals(child: ChildProcess, onInterrupt: Terminal["onInterrupt"]): () => void {
  const pass = (signal: NodeJS.Signals) => {
    // Ctrl-C is for all that the program has started, as on a terminal; a request to end is for the program alone.
    if (signal === "SIGINT") signalGroup(child, signal);
    else child.kill(signal);
  };
  const suspend = () => {
    signalGroup(child, "SIGSTOP");
    process.kill(process.pid, "SIGSTOP");
  };
  const resume = () => signalGroup(child, "SIGCONT");
  // Without the provider the program can't go on.
  const end = () => child.kill("SIGTERM");
  const stopListening = onInterrupt(pass);
  for (const signal of PASSED_ON) process.on(signal, signal === "SIGCONT" ? resume : pass);
  process.on("SIGTSTP", suspend);
  process.once("exit", end);
  return () => {
    stopListening();
    for (const signal of PASSED_ON) process.off(signal, signal === "SIGCONT" ? resume : pass);
    process.off("SIGTSTP", suspend);
    process.off("exit", end);
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!OWN_GROUP || child.pid === undefined) return void child.kill(signal);
  try {
    process.kill(-child.pid, signal);
  } catch (problem) {
    // It ended in the meantime.
    if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
  }
}
