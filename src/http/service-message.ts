import { parseJson } from "../json";
import { oneLine } from "../text";
import { encodingOf, type HttpResponse, textOf } from "./transport";

const LONGEST = 500;

/**
 * The service's message in the body of an error, as one line: `{message: "…"}`, `{message: {field: ["…"]}}`,
 * `{error: "…"}` with or without `error_description`, or plain text. Undefined without one. Redaction comes
 * after decoding: JSON can escape a token in more ways than one.
 */
export function readServiceMessage(
  answer: HttpResponse,
  redact: (text: string) => string,
): string | undefined {
  if (encodingOf(answer) !== undefined) return undefined;
  const type = String(answer.headers["content-type"] ?? "");
  if (/\bjson\b/i.test(type)) return shorten(fromJson(textOf(answer)), redact);
  // An HTML page of a proxy has no message that fits on a line.
  return /^text\/plain\b/i.test(type) ? shorten(textOf(answer), redact) : undefined;
}

function fromJson(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = parseJson(body);
  } catch {
    // The status is enough: an invalid body of an error response is no error of its own.
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return describe(parsed);
  const { message, error, error_description: description } = parsed as Record<string, unknown>;
  if (message !== undefined) return describe(message);
  return [describe(error), describe(description)].filter(Boolean).join(": ") || undefined;
}

function describe(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(describe).filter(Boolean).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([field, reasons]) => {
      const text = describe(reasons) ?? "";
      // "base" is the service's key for the record as a whole.
      return field === "base" ? text : `${field} ${text}`;
    })
    .join("; ");
}

function shorten(text: string | undefined, redact: (text: string) => string): string | undefined {
  if (!text) return undefined;
  const line = oneLine(redact(text).replace(/\s+/g, " ").trim());
  if (line === "") return undefined;
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
