import type { RequestEvent } from "../../engine";
import { oneLine } from "../../text";
import type { Terminal } from "./terminal";

const LEVELS = ["error", "warn", "info", "debug", "trace"] as const;
type LogLevel = (typeof LEVELS)[number];

/** What goes to stderr under STEWARD_LOG, for whoever looks for a fault. */
export interface Log {
  write(level: LogLevel, message: string): void;
}

/** The log at the level of STEWARD_LOG; without it, or with a word that is no level, nothing is logged. */
export function createLog({ env, err }: Pick<Terminal, "env" | "err">): Log {
  const threshold = LEVELS.indexOf(env["STEWARD_LOG"]?.toLowerCase() as LogLevel);
  return {
    write(level, message) {
      if (LEVELS.indexOf(level) > threshold) return;
      err.line(`${new Date().toISOString()} [${level.toUpperCase()}] ${oneLine(message)}`);
    },
  };
}

/** One step of a request in the log. */
export function logRequest(log: Log, event: RequestEvent): void {
  const [level, message] = describeRequest(event);
  log.write(level, message);
}

function describeRequest(event: RequestEvent): [LogLevel, string] {
  switch (event.kind) {
    case "sent":
      return ["trace", `${event.method} ${event.path} sent (attempt ${event.attempt})`];
    case "answered":
      return [
        "debug",
        `${event.method} ${event.path} ${event.status} after ${Math.round(event.milliseconds)} ms`,
      ];
    case "waiting":
      return ["info", `waiting ${Math.round(event.milliseconds)} ms: ${event.reason}`];
  }
}
