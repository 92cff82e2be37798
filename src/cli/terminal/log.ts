import type { RequestEvent } from "../../engine";
import { oneLine } from "../../text";
import type { Terminal } from "./terminal";

const LEVELS = ["error", "warn", "info", "debug", "trace"] as const;
type LogLevel = (typeof LEVELS)[number];

/** Writes log lines to stderr, if STEWARD_LOG enables them. */
export interface Log {
  write(level: LogLevel, message: string): void;
}

/** Creates the log with the level in STEWARD_LOG. If STEWARD_LOG is not set or has an unknown level, the log writes nothing. */
export function createLog({ env, err }: Pick<Terminal, "env" | "err">): Log {
  const threshold = LEVELS.indexOf(env["STEWARD_LOG"]?.toLowerCase() as LogLevel);
  return {
    write(level, message) {
      if (LEVELS.indexOf(level) > threshold) return;
      err.line(`${new Date().toISOString()} [${level.toUpperCase()}] ${oneLine(message)}`);
    },
  };
}

/** Writes a line to the log about an event of a request. */
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
