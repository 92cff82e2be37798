import type { RequestEvent } from "../../framework";
import type { Attributes, ValueObject } from "../../schema";
import { oneLine, SensitiveTexts } from "../../text";

const LEVELS = ["trace", "debug", "info", "warn", "error"] as const;
type LogLevel = (typeof LEVELS)[number];

/** A receiver of the log entries of the program that runs the provider. */
export interface Log {
  (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>): void;
  /** Returns whether the log writes entries of a level. Without this function, callers send entries of all levels. */
  readonly isCovered?: (level: LogLevel) => boolean;
}

/**
 * Returns whether entries of a level are written. Callers check the level before they create an entry, because a
 * plan has thousands of entries.
 */
export const isLogged = (log: Log, level: LogLevel): boolean => log.isCovered?.(level) ?? true;

/**
 * Writes log lines in the JSON format that Terraform reads from a plugin's stderr. Terraform logs the lines under
 * TF_LOG_PROVIDER or TF_LOG, at their levels. Lines below the level are omitted, because Terraform would drop them.
 */
export function pluginLog(
  env: Readonly<Record<string, string | undefined>>,
  write: (line: string) => void,
  secrets: Pick<Secrets, "redact">,
): Log {
  const threshold = LEVELS.indexOf(levelOf(env["TF_LOG_PROVIDER"] || env["TF_LOG"] || "warn"));
  const isCovered = (level: LogLevel): boolean => LEVELS.indexOf(level) >= threshold;
  const log = (level: LogLevel, message: string, facts: Readonly<Record<string, unknown>> = {}): void => {
    if (!isCovered(level)) return;
    const line = {
      "@level": level,
      "@message": oneLine(message),
      "@module": "steward",
      // Terraform requires exactly six fractional digits.
      "@timestamp": new Date().toISOString().replace("Z", "000Z"),
      ...Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, readable(fact)])),
    };
    write(`${oneLine(secrets.redact(JSON.stringify(line)))}\n`);
  };
  return Object.assign(log, { isCovered });
}

/** Converts a fact to one line, because Terraform logs a fact verbatim. */
const readable = (fact: unknown): unknown => (typeof fact === "string" ? oneLine(fact) : fact);

/**
 * Returns the level for a value of TF_LOG or TF_LOG_PROVIDER. `JSON` is the level trace in another format. Terraform
 * also treats an unknown level as trace.
 */
function levelOf(word: string): LogLevel {
  const level = word.toLowerCase();
  return LEVELS.find((each) => each === level) ?? (level === "off" ? "error" : "trace");
}

/** Returns a function that logs the requests to the service; undefined if the log would write no entry. */
export const logRequests = (log: Log): ((event: RequestEvent) => void) | undefined =>
  isLogged(log, "info") ? (event) => log(...describe(event)) : undefined;

function describe(event: RequestEvent): [LogLevel, string, Readonly<Record<string, unknown>>] {
  switch (event.type) {
    case "request":
      return ["trace", `${event.method} ${event.path} sent`, { attempt: event.attempt }];
    case "answer":
      return ["debug", `${event.method} ${event.path} answered ${event.status}`, took(event.milliseconds)];
    case "retry":
    case "rate_limit":
      return ["info", `waiting: ${event.reason}`, took(event.milliseconds)];
  }
}

const took = (milliseconds: number) => ({ milliseconds: Math.round(milliseconds) });

/** The sensitive values of provider configurations. The values are redacted in all output. */
export class Secrets {
  readonly #known = new SensitiveTexts();

  /** @param also redacts secrets from other sources, such as the environment */
  constructor(private readonly also: (text: string) => string = (text) => text) {}

  learn(attributes: Attributes, config: ValueObject): void {
    for (const [name, { text }] of Object.entries(attributes))
      if (text.sensitive && typeof config[name] === "string") this.#known.add(config[name]);
  }

  redact(text: string): string {
    return this.#known.redactText(this.also(text));
  }
}
