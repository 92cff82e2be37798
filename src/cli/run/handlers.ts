import { warning } from "../../diagnostics";
import type { ViewArguments } from "../arguments/command-line";
import type { Log } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/failure";

/**
 * What is told while a run goes on is told by handlers that never throw: a fault in showing something must not leave
 * an apply half done. The first fault is told, all are logged.
 */
export class Handlers {
  readonly #log: Log;
  readonly #terminal: Terminal;
  readonly #args: ViewArguments;
  #isTold = false;

  constructor(log: Log, terminal: Terminal, args: ViewArguments) {
    this.#log = log;
    this.#terminal = terminal;
    this.#args = args;
  }

  guard<E>(handle: (event: E) => void): (event: E) => void {
    return (event) => {
      try {
        handle(event);
      } catch (problem) {
        this.#tell(problem);
      }
    };
  }

  /** Writes where an exception came from to the log, for whoever mends it. */
  readonly logFault = (problem: unknown): void => {
    const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    for (const line of text.split("\n")) this.#log.write("debug", `fault: ${line}`);
  };

  #tell(problem: unknown): void {
    try {
      this.logFault(problem);
      if (this.#isTold) return;
      this.#isTold = true;
      reportDiagnostics([showingFailed(problem)], this.#terminal, this.#args);
    } catch {
      // The way out is what is broken: there is nowhere left to tell it, and the run goes on.
    }
  }
}

const showingFailed = (problem: unknown) =>
  warning({
    code: "internal_error",
    summary: "Internal error",
    detail:
      `An unexpected problem occurred while showing the run: ${problem instanceof Error ? problem.message : String(problem)}. ` +
      "Changes and the saved state are not affected. Please report it with the log of STEWARD_LOG=debug.",
  });
