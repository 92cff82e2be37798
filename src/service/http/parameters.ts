import { z } from "zod";
import { coercionFor } from "./coerce";
import { badRequest } from "./errors";

/** A record id. SQLite's ids can exceed what JSON represents exactly. */
export const id = () => z.int().min(1);

/** A list that clients send as comma-separated text, as a number, or as a JSON array. */
export const commaSeparated = () =>
  z.union([z.array(z.union([z.string(), z.number()])), z.string(), z.number()]).transform((value) =>
    (Array.isArray(value) ? value : [value])
      .flatMap((part) => String(part).split(","))
      .map((part) => part.trim())
      .filter((part) => part !== ""),
  );

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((step, index) => (index === 0 ? String(step) : `[${String(step)}]`)).join("");

function reason(issue: z.core.$ZodIssue): string {
  const name = pathText(issue.path);
  if (issue.code === "custom") return `${name} ${issue.message}`.trim();
  if (issue.message === MISSING) return `${name} is missing`;
  if (issue.code === "invalid_value" || issue.code === "too_small" || issue.code === "too_big") {
    return `${name} does not have a valid value`;
  }
  return `${name} is invalid`;
}

const MISSING = "missing";
const nameMissing: z.core.$ZodErrorMap = (issue) => (issue.input === undefined ? MISSING : undefined);

/**
 * Creates the parser of an endpoint's parameters (query, JSON, form).
 *
 * @returns a function that gives the parsed parameters, or throws 400 `{"error": "name is missing, page is invalid"}`.
 */
export function parameterReader<Schema extends z.ZodObject>(
  schema: Schema,
): (given: Record<string, unknown>) => z.output<Schema> {
  // Created at the first request, to keep the start fast.
  let coerce: ReturnType<typeof coercionFor> | undefined;
  return (given) => {
    coerce ??= coercionFor(schema);
    const parsed = schema.safeParse(coerce(given), { error: nameMissing });
    if (parsed.success) return parsed.data;
    throw badRequest([...new Set(parsed.error.issues.map(reason))].join(", "));
  };
}
