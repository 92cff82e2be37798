import type { RequestEvent } from "../../framework";
import { isLogged, type Log, type LogLevel } from "./log";

/** Logs the requests to the service; undefined if no entry about them would be written. */
export const logRequests = (log: Log): ((event: RequestEvent) => void) | undefined =>
  isLogged(log, "info") ? (event) => log(...describe(event)) : undefined;

function describe(event: RequestEvent): [LogLevel, string, Readonly<Record<string, unknown>>] {
  switch (event.kind) {
    case "sent":
      return ["trace", `${event.method} ${event.path} sent`, { attempt: event.attempt }];
    case "answered":
      return ["debug", `${event.method} ${event.path} answered ${event.status}`, took(event.milliseconds)];
    case "waiting":
      return ["info", `waiting: ${event.reason}`, took(event.milliseconds)];
  }
}

const took = (milliseconds: number) => ({ milliseconds: Math.round(milliseconds) });
