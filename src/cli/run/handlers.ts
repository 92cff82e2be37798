import { warning } from "../../diagnostics";
import type { RequestEvent } from "../../engine";
import type { ViewArguments } from "../arguments/stack-options";
import { Waits } from "../stacks/interruption";
import { createLog, type Log, logRequest } from "../terminal/log";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/diagnostics";
import type { RunView } from "../views/run-view";

/**
 * Event handlers that never throw: a failure to show something must not interrupt an apply. The first failure
 * is reported, all are logged.
 */
export class Handlers {
  readonly log: Log;
  #isReported = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly args: ViewArguments,
  ) {
    this.log = createLog(terminal);
  }

  /** Logs requests, and shows that one was sent or waits. */
  requests(view: RunView): (event: RequestEvent) => void {
    const waits = new Waits();
    return (event) => {
      logRequest(this.log, event);
      if (event.type === "request") view.tell({ kind: "requested" });
      const wait = waits.toReport(event);
      if (wait !== undefined) view.tell({ kind: "waiting", wait });
    };
  }

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
      const message = problem instanceof Error ? problem.message : String(problem);
      const failure = warning({
        code: "internal_error",
        summary: "Internal error",
        detail:
          `An unexpected problem occurred while showing the run: ${message}. ` +
          "Changes and the saved state are not affected. Please report it with the output of STEWARD_LOG=debug.",
      });
      reportDiagnostics([failure], this.terminal, this.args);
    } catch {
      // Output itself is broken, so nothing can be reported. The run continues.
    }
  }
}
