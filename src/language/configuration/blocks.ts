import { type AttributePath, type Diagnostic, DiagnosticError, fail, nearest } from "../../diagnostics";
import {
  type Expression,
  ExpressionError,
  parseJsonExpression,
  parseTraversal,
  parseTypeConstraint,
  type Traversal,
  type TypeConstraint,
} from "../syntax";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Where a block stands, for messages. */
export interface Place {
  readonly address: string;
  readonly construct: string | undefined;
}

/** A block's bodies: in JSON syntax a block is an object, or an array of them. */
export function bodies(json: unknown, what: string): JsonObject[] {
  if (json === undefined || json === null) return [];
  const all = Array.isArray(json) ? json : [json];
  const wrong = all.find((body) => typeof body !== "object" || body === null || Array.isArray(body));
  if (wrong !== undefined)
    malformed(what, `a block is written as an object, and ${JSON.stringify(wrong)} is none`);
  return all as JsonObject[];
}

/** What is wrong in one part of a configuration: the others are read all the same, so that it is all told at once. */
export function problemsOf(load: () => void): readonly Diagnostic[] {
  try {
    load();
    return [];
  } catch (problem) {
    if (problem instanceof DiagnosticError) return problem.diagnostics;
    throw problem;
  }
}

/** Reads each of several blocks or attributes, whatever is wrong with some of them, and then tells all that is. */
export function loadEach<T>(all: Iterable<T>, load: (one: T) => void): void {
  const problems: Diagnostic[] = [];
  const last = problemsOf(() => {
    for (const one of all) problems.push(...problemsOf(() => load(one)));
  });
  problems.push(...last);
  if (problems.length > 0) throw new DiagnosticError(problems);
}

/** The labelled blocks below a keyword, such as `resource.TYPE.NAME`: each with its labels and its body. */
export function* labelled(
  json: unknown,
  what: string,
  depth: number,
): Generator<{ labels: string[]; body: JsonObject }> {
  for (const level of bodies(json, what)) {
    for (const [label, below] of Object.entries(level)) {
      if (label === "//") continue;
      if (depth > 1) {
        for (const inner of labelled(below, `${what}.${label}`, depth - 1)) {
          yield { labels: [label, ...inner.labels], body: inner.body };
        }
      } else for (const body of bodies(below, `${what}.${label}`)) yield { labels: [label], body };
    }
  }
}

/** The path of the construct that cdktf noted in a block. */
export function constructOf(body: JsonObject): string | undefined {
  const comment = body["//"] as { metadata?: { path?: unknown } } | undefined;
  const path = comment?.metadata?.path;
  return typeof path === "string" ? path : undefined;
}

/** Parses one attribute of a block; what can't be parsed is told with the place and the attribute. */
export function parseAttribute(json: unknown, place: Place, attribute: AttributePath): Expression {
  return located(place, attribute, () => parseJsonExpression(json));
}

/** Fails where a name can't be referred to in expressions. */
export function checkName(name: string, address: string): void {
  if (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) return;
  malformed(
    address,
    "a name begins with a letter or an underscore, and goes on with letters, digits, underscores and dashes",
  );
}

/** True or false, also as a text; what such an argument says is not computed. */
export function flag(body: JsonObject, name: string, at: string, byDefault: boolean): boolean {
  const value = body[name] ?? byDefault;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  return malformed(`${at}.${name}`, "it is true or false, and can't be an expression");
}

/** Fails where a block says more than its kind knows. */
export function refuseOthers(body: JsonObject, known: readonly string[], what: string): void {
  const found = Object.keys(body).find((name) => name !== "//" && !known.includes(name));
  if (found === undefined) return;
  const close = nearest(found, known);
  const hint = close === undefined ? `known are ${known.join(", ")}` : `did you mean "${close}"?`;
  malformed(what, `it has no argument or block "${found}" (${hint})`);
}

/** The traversals of `depends_on`. */
export function parseDependsOn(json: unknown, place: Place): Traversal[] {
  if (json === undefined) return [];
  if (!Array.isArray(json) || json.some((one) => typeof one !== "string")) {
    malformed(`${place.address}.depends_on`, "it is a list of addresses");
  }
  return (json as string[]).map((text, index) =>
    located(place, ["depends_on", index], () => parseTraversal(text)),
  );
}

/** The type constraint of a variable. */
export function parseType(text: string, place: Place): TypeConstraint {
  return located(place, ["type"], () => parseTypeConstraint(text));
}

/** A block that is not shaped as its kind asks for. */
export function malformed(what: string, why: string): never {
  return fail({
    code: "configuration_invalid",
    summary: "Invalid configuration",
    detail: `${what}: ${why}.`,
  });
}

/** Reads what the parser of expressions may refuse; then tells it with the place and the attribute. */
export function located<T>(place: Place, attribute: AttributePath, read: () => T): T {
  try {
    return read();
  } catch (problem) {
    return invalidExpression(problem, place, attribute);
  }
}

function invalidExpression(problem: unknown, { address, construct }: Place, attribute: AttributePath): never {
  if (!(problem instanceof ExpressionError)) throw problem;
  return fail({
    code: "invalid_expression",
    summary: problem.summary,
    detail: problem.detail,
    address,
    attribute,
    ...(construct !== undefined && { construct }),
  });
}
