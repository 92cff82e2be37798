import type { RequestEvent } from "../../framework";
import type { Log, LogLevel } from "./log";

/** Logs the requests to the service. */
export const logRequests =
  (log: Log) =>
  (event: RequestEvent): void =>
    log(...describe(event));

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
