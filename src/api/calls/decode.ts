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

/**
 * Reads an answer's body as JSON of the given shape.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`, which names the operation, the field and what came
 */
export function decodeAnswer<Schema extends $ZodType>(
  schema: Schema,
  answer: HttpResponse,
  request: RequestInfo,
  redact: (text: string) => string,
): output<Schema> {
  const parsed = readJson(answer, request, redact);
  const result = safeParse(schema, parsed);
  if (result.success) return result.data;
  const why = explain(result.error.issues, parsed, excerptOf(redact));
  throw unreadableAnswer(answer, request, `the answer has an unexpected shape: ${why}`);
}

/**
 * Checks a call's parameters before they are sent.
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
    what: `the arguments can't be sent: ${explain(result.error.issues, parameters, excerptOf(redact))}`,
  });
}

function explain(issues: readonly $ZodIssue[], value: unknown, show: (text: string) => string): string {
  const told = issues.slice(0, 3).map((issue) => {
    const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    return `${formatPath(path) || "the whole"} should be ${wanted(issue, show)}, and ${came(value, path, show)} came`;
  });
  const more = issues.length - told.length;
  return told.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

// Written here, because zod's own words come with a language pack that costs as much to load as zod itself.
function wanted(issue: $ZodIssue, show: (text: string) => string): string {
  if (issue.code === "invalid_type") return WORDS[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(" or ");
  if (issue.code === "unrecognized_keys") return `without ${show(issue.keys.join(", "))}`;
  if (issue.code === "custom" && issue.message) return issue.message;
  return "of another shape";
}

const WORDS: Readonly<Record<string, string>> = { int: "a whole number", string: "text", number: "a number" };

function came(value: unknown, path: readonly PathStep[], show: (text: string) => string): string {
  const found = path.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null ? (inner as Record<PathStep, unknown>)[step] : undefined,
    value,
  );
  return found === undefined ? "nothing" : show(JSON.stringify(found));
}
