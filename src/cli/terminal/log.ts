import type { RequestEvent } from "../../engine";
import { oneLine } from "../../text";
import type { Terminal } from "./terminal";

const LEVELS = ["error", "warn", "info", "debug", "trace"] as const;
type LogLevel = (typeof LEVELS)[number];

/** The log that STEWARD_LOG enables on stderr. */
export interface Log {
  write(level: LogLevel, message: string): void;
}

/** The log at the level of STEWARD_LOG. Unset or unknown levels log nothing. */
export function createLog({ env, err }: Pick<Terminal, "env" | "err">): Log {
  const threshold = LEVELS.indexOf(env["STEWARD_LOG"]?.toLowerCase() as LogLevel);
  return {
    write(level, message) {
      if (LEVELS.indexOf(level) > threshold) return;
      err.line(`${new Date().toISOString()} [${level.toUpperCase()}] ${oneLine(message)}`);
    },
  };
}

/** One step of a request, as a line of the log. */
export function logRequest(log: Log, event: RequestEvent): void {
  const [level, message] = describeRequest(event);
  log.write(level, message);
}

function describeRequest(event: RequestEvent): [LogLevel, string] {
  switch (event.type) {
    case "request":
      return ["trace", `${event.method} ${event.path} sent (attempt ${event.attempt})`];
    case "answer":
      return [
        "debug",
        `${event.method} ${event.path} ${event.status} after ${Math.round(event.milliseconds)} ms`,
      ];
    case "retry":
    case "rate_limit":
      return ["info", `waiting ${Math.round(event.milliseconds)} ms: ${event.reason}`];
  }
}
