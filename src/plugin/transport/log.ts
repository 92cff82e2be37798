import { oneLine } from "../../text";

const LEVELS = ["trace", "debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Where a host tells what it does, for whoever looks for a fault. */
export type Log = (level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>) => void;

interface LogOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (line: string) => void;
  /** Takes secrets out of a line. */
  readonly redact: (line: string) => string;
}

/**
 * A log in the lines of JSON that Terraform takes from a plugin's stderr and files under TF_LOG_PROVIDER, else TF_LOG,
 * at their levels. What is below that level is not written, as Terraform would only drop it.
 */
export function pluginLog({ env, write, redact }: LogOptions): Log {
  const threshold = LEVELS.indexOf(levelOf(env["TF_LOG_PROVIDER"] || env["TF_LOG"] || "warn"));
  return (level, message, facts = {}) => {
    if (LEVELS.indexOf(level) < threshold) return;
    const line = {
      "@level": level,
      "@message": oneLine(message),
      "@module": "steward",
      // Terraform reads six digits of a second, no more and no less.
      "@timestamp": new Date().toISOString().replace("Z", "000Z"),
      ...Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, readable(fact)])),
    };
    write(`${oneLine(redact(JSON.stringify(line)))}\n`);
  };
}

/** Terraform writes a fact to its log as it is. */
const readable = (fact: unknown): unknown => (typeof fact === "string" ? oneLine(fact) : fact);

/** `JSON` is the level trace in another layout; a word that Terraform doesn't know means trace to it, too. */
function levelOf(word: string): LogLevel {
  const level = word.toLowerCase();
  return LEVELS.find((each) => each === level) ?? (level === "off" ? "error" : "trace");
}
