import type { $ZodIssue, $ZodType, output } from "zod/v4/core";
import { safeParse } from "zod/v4/core";
import { formatPath, type PathStep } from "../../diagnostics";
import {
  ArgumentError,
  excerptOf,
  type HttpResponse,
  type RequestInfo,
  readJson,
  unreadableAnswer,
} from "../../http";
import { REFUSED, readerOf } from "./quick-reader";

/**
 * Parses a response body as JSON and validates it.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`, which names the operation, the field and its value
 */
export function decodeResponse<Schema extends $ZodType>(
  schema: Schema,
  answer: HttpResponse,
  request: RequestInfo,
  redact: (text: string) => string,
): output<Schema> {
  const parsed = readJson(answer, request, redact);
  const read = readerOf(schema)(parsed);
  if (read !== REFUSED) return read as output<Schema>;
  const result = safeParse(schema, parsed);
  if (result.success) return result.data;
  const why = explain(result.error.issues, parsed, excerptOf(redact));
  throw unreadableAnswer(answer, request, `the response has an unexpected shape: ${why}`);
}

/**
 * Validates the parameters of a call before it is sent.
 *
 * @throws ArgumentError `invalid_argument`
 */
export function checkParameters<Schema extends $ZodType>(
  schema: Schema,
  parameters: unknown,
  request: RequestInfo,
  redact: (text: string) => string,
): output<Schema> {
  const result = safeParse(schema, parameters);
  if (result.success) return result.data;
  throw new ArgumentError({
    code: "invalid_argument",
    request,
    what: `invalid arguments: ${explain(result.error.issues, parameters, excerptOf(redact))}`,
  });
}

function explain(issues: readonly $ZodIssue[], value: unknown, show: (text: string) => string): string {
  const explained = issues.slice(0, 3).map((issue) => {
    const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    return `${formatPath(path) || "the value"} should be ${describeExpected(issue, show)}, but it is ${describeActual(value, path, show)}`;
  });
  const others = issues.length - explained.length;
  return explained.join("; ") + (others > 0 ? `; and ${others} more` : "");
}

// zod's own messages need a language pack that costs as much to load as zod itself.
function describeExpected(issue: $ZodIssue, show: (text: string) => string): string {
  if (issue.code === "invalid_type") return TYPE_NAMES[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(" or ");
  if (issue.code === "unrecognized_keys") return `without ${show(issue.keys.join(", "))}`;
  if (issue.code === "custom" && issue.message) return issue.message;
  return "of another type";
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: "a whole number",
  string: "text",
  number: "a number",
};

function describeActual(value: unknown, path: readonly PathStep[], show: (text: string) => string): string {
  const found = path.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PathStep, unknown>)[step] : undefined,
    value,
  );
  return found === undefined ? "missing" : show(JSON.stringify(found));
}
