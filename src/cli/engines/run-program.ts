import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** One run of an engine's program. */
export interface ProgramRun {
  readonly program: string;
  readonly words: readonly string[];
  /** Where it runs: the stack's folder. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whole lines, without their ends: nothing that has to be taken out of them is cut in two. */
  readonly onOut: (line: string) => void;
  readonly onErr: (line: string) => void;
  /** The program is asked to end: it finishes and saves what is under way. */
  readonly stop: AbortSignal;
  /** The program is ended, with whatever it started. */
  readonly abort: AbortSignal;
}

/** A group of its own: Ctrl-C on the terminal reaches the program once, by us, and not twice, which would kill it. */
const OWN_GROUP = process.platform !== "win32";

/** Runs the program to its end. Answers with its exit code; one that a signal ended has failed. */
export function runProgram(run: ProgramRun): Promise<number> {
  const { program, words, folder, env, stop, abort } = run;
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: folder,
      env,
      detached: OWN_GROUP,
      stdio: ["ignore", "pipe", "pipe"],
    });
    eachLine(child.stdout, run.onOut);
    eachLine(child.stderr, run.onErr);
    const interrupt = () => void child.kill("SIGINT");
    const kill = () => end(child);
    stop.addEventListener("abort", interrupt);
    abort.addEventListener("abort", kill);
    const release = () => {
      stop.removeEventListener("abort", interrupt);
      abort.removeEventListener("abort", kill);
    };
    child.on("error", (problem) => {
      release();
      reject(problem);
    });
    child.on("close", (code) => {
      release();
      resolve(code ?? 1);
    });
    if (stop.aborted) interrupt();
  });
}

/** Node's readline would cut a line of JSON in two at U+2028, which JSON takes for a character as any other. */
function eachLine(stream: Readable, take: (line: string) => void): void {
  let begun: string[] = [];
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const [first, ...rest] = chunk.split("\n");
    begun.push(first!);
    for (const next of rest) {
      take(begun.join("").replace(/\r$/, ""));
      begun = [next];
    }
  });
  stream.on("end", () => {
    const last = begun.join("");
    if (last !== "") take(last);
  });
}

function end(child: ChildProcess): void {
  if (!OWN_GROUP || child.pid === undefined) return void child.kill("SIGKILL");
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (problem) {
    // It ended by itself in the meantime.
    if ((problem as NodeJS.ErrnoException).code !== "ESRCH") throw problem;
  }
}
