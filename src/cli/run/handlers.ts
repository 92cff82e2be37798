import { warning } from "../../diagnostics";
import type { ViewArguments } from "../arguments/stack-options";
import type { Log } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/diagnostics";

/**
 * Event handlers that never throw: a failure to show something must not interrupt an apply. The first failure
 * is reported, all are logged.
 */
export class Handlers {
  #isReported = false;

  constructor(
    private readonly log: Log,
    private readonly terminal: Terminal,
    private readonly args: ViewArguments,
  ) {}

  guard<E>(handle: (event: E) => void): (event: E) => void {
    return (event) => {
      try {
        handle(event);
      } catch (problem) {
        this.#report(problem);
      }
    };
  }

  /** Logs the stack trace of an exception. */
  readonly logFault = (problem: unknown): void => {
    const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    for (const line of text.split("\n")) this.log.write("debug", `fault: ${line}`);
  };

  #report(problem: unknown): void {
    try {
      this.logFault(problem);
      if (this.#isReported) return;
      this.#isReported = true;
      reportDiagnostics([outputFailed(problem)], this.terminal, this.args);
    } catch {
      // Output itself is broken, so nothing can be reported. The run continues.
    }
  }
}

const outputFailed = (problem: unknown) =>
  warning({
    code: "internal_error",
    summary: "Internal error",
    detail:
      `An unexpected problem occurred while showing the run: ${problem instanceof Error ? problem.message : String(problem)}. ` +
      "Changes and the saved state are not affected. Please report it with the output of STEWARD_LOG=debug.",
  });
