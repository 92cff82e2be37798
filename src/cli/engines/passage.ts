import { parseJson } from "../../json";
import type { Terminal } from "../terminal/terminal";
import { jsonEvent } from "../views/json/events";
import type { Result } from "../views/json/results";

/** Where the lines of a program go. */
export interface Passage {
  out(line: string): void;
  err(line: string): void;
  /** The program ended; answers with the counts of its result, where it told any. */
  end(): Counts | undefined;
}

type Counts = Pick<Result, "of" | "counts">;

/** Its words as they are, for people. */
export const wordsPassage = ({ out, err }: Pick<Terminal, "out" | "err">): Passage => ({
  out: (line) => out.line(line),
  err: (line) => err.line(line),
  end: () => undefined,
});

type Event = Readonly<Record<string, unknown>>;

/** Its events, each with the name of its stack, and the one that tells the result at the end. */
export function eventsPassage(
  { out, err }: Pick<Terminal, "out" | "err">,
  stack: string | undefined,
): Passage {
  let result: Event | undefined;
  const write = ({ type, ...rest }: Event) =>
    out.line(JSON.stringify({ ...rest, ...(stack !== undefined && { stack }), type }));
  return {
    out(line) {
      const event = parseEvent(line);
      if (event === undefined) return line.trim() === "" ? undefined : write({ ...jsonEvent("log", line) });
      if (event["type"] !== "change_summary") return write(event);
      // An apply tells the result of its plan as well; the later one is the result of the run.
      if (result !== undefined) write(result);
      result = event;
    },
    err: (line) => err.line(line),
    end() {
      if (result === undefined) return undefined;
      write(result);
      return countsOf(result["changes"]);
    },
  };
}

function parseEvent(line: string): Event | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return parseJson(line) as Event;
  } catch {
    return undefined;
  }
}

function countsOf(changes: unknown): Counts | undefined {
  if (typeof changes !== "object" || changes === null) return undefined;
  const { operation, ...counts } = changes as Record<string, unknown>;
  return {
    of: operation as Result["of"],
    counts: Object.fromEntries(
      Object.entries(counts).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    ),
  };
}
