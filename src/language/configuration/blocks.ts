import {
  type AttributePath,
  type Diagnostic,
  type DiagnosticAction,
  DiagnosticError,
  fail,
  nearest,
} from "../../diagnostics";
import {
  type Expression,
  ExpressionError,
  parseJsonExpression,
  parseTraversal,
  type Traversal,
} from "../syntax";
import { refuseUnsupported, type UNSUPPORTED } from "./unsupported";

export type JsonObject = Readonly<Record<string, unknown>>;

/** The location of a block, for error messages. */
export interface BlockLocation {
  readonly address: string;
  readonly construct: string | undefined;
}

/** Returns the bodies of a block, each as an object. In JSON syntax, a block is an object or an array of objects. */
export function bodies(json: unknown, what: string): JsonObject[] {
  if (json === undefined || json === null) return [];
  if (typeof json === "object" && !Array.isArray(json)) return [json as JsonObject];
  const all = Array.isArray(json) ? json : [json];
  const invalidBody = all.find((body) => typeof body !== "object" || body === null || Array.isArray(body));
  if (invalidBody !== undefined)
    malformed(what, `a block must be an object, but it is ${JSON.stringify(invalidBody)}`);
  return all as JsonObject[];
}

/**
 * Loads one part of a configuration. Returns its errors instead of throwing them, so that the caller can report the errors of all
 * parts together.
 */
export function problemsOf(load: () => void): readonly Diagnostic[] {
  try {
    load();
    return [];
  } catch (problem) {
    if (problem instanceof DiagnosticError) return problem.diagnostics;
    throw problem;
  }
}

/** Loads all parts, even if some contain errors. At the end, throws the diagnostics of all parts together. */
export function loadEach<T>(all: readonly T[], load: (one: T) => void): void {
  const problems = all.flatMap((one) => problemsOf(() => load(one)));
  if (problems.length > 0) throw new DiagnosticError(problems);
}

/**
 * Loads all blocks of a keyword by their labels, such as `resource.TYPE.NAME`. If blocks contain errors, the other blocks are
 * loaded too, and then all diagnostics are thrown together.
 *
 * @param depth the number of labels of a block
 */
export function loadLabelled(
  json: unknown,
  what: string,
  depth: number,
  load: (labels: readonly string[], body: JsonObject) => void,
): void {
  const problems: Diagnostic[] = [];
  const visit = (level: unknown, place: string, labels: readonly string[]): void => {
    for (const body of bodies(level, place))
      if (labels.length === depth) problems.push(...problemsOf(() => load(labels, body)));
      else
        for (const label in body)
          if (label !== "//") visit(body[label], `${place}.${label}`, [...labels, label]);
  };
  problems.push(...problemsOf(() => visit(json, what, [])));
  if (problems.length > 0) throw new DiagnosticError(problems);
}

/** Adds a declaration to `all` under its name. Throws an error if another declaration has this name. */
export function declare<T>(all: Map<string, T>, name: string, address: string, one: T): void {
  const { size } = all;
  all.set(name, one);
  if (all.size === size) malformed(address, "it is declared twice; rename one of them");
}

/** Returns the path of the construct that cdktf wrote into the metadata of a block; undefined if there is none. */
export const constructOf = (body: JsonObject): string | undefined => metadataText(body, "path");

/**
 * Returns the file and line that a construct wrote into the metadata of a block, such as `main.ts:26`; undefined if there are
 * none.
 */
export const positionOf = (body: JsonObject): string | undefined => metadataText(body, "position");

function metadataText(body: JsonObject, name: string): string | undefined {
  const comment = body["//"] as { metadata?: Readonly<Record<string, unknown>> } | undefined;
  const text = comment?.metadata?.[name];
  return typeof text === "string" ? text : undefined;
}

/** Parses one attribute of a block to an expression. Errors name the block and the attribute. */
export function parseAttribute(json: unknown, place: BlockLocation, attribute: AttributePath): Expression {
  return withLocation(place, attribute, () => parseJsonExpression(json));
}

/** Parses an argument to an expression; undefined if the block omits the argument. */
export const parseOptional = (
  body: JsonObject,
  place: BlockLocation,
  name: string,
): Expression | undefined =>
  body[name] === undefined ? undefined : parseAttribute(body[name], place, [name]);

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Throws an error if expressions can't contain a name. */
export function checkName(name: string, address: string): void {
  if (NAME.test(name)) return;
  malformed(
    address,
    "a name must start with a letter or an underscore, and contain letters, digits, underscores " +
      "and dashes only",
  );
}

/** Returns the value of a boolean argument. The argument is a boolean, or the text "true" or "false", but no expression. */
export function flag(body: JsonObject, name: string, at: string, isSetByDefault: boolean): boolean {
  const value = body[name] ?? isSetByDefault;
  if (value === true || value === "true") return true;
  if (value === false || value === "false") return false;
  return malformed(`${at}.${name}`, "it must be true or false, not an expression");
}

/**
 * Throws an error if a block contains an argument that the engine does not know.
 *
 * @param block the kind of block, for a special error about arguments that Terraform supports and the engine does not
 */
export function refuseUnknownArguments(
  body: JsonObject,
  known: readonly string[],
  what: string,
  block?: keyof typeof UNSUPPORTED,
): void {
  if (block !== undefined) refuseUnsupported(Object.keys(body), block, what);
  const found = Object.keys(body).find((name) => name !== "//" && !known.includes(name));
  if (found === undefined) return;
  const close = nearest(found, known);
  const hint = close === undefined ? `the valid names are ${known.join(", ")}` : `did you mean "${close}"?`;
  malformed(what, `it has no argument or block "${found}" (${hint})`);
}

/** Returns the list of texts in an argument; an empty list if the block omits the argument. */
export function texts(json: unknown, at: string, what = "texts"): string[] {
  if (json === undefined || json === null) return [];
  if (!Array.isArray(json) || json.some((one) => typeof one !== "string"))
    malformed(at, `it must be a list of ${what}`);
  return json as string[];
}

/** Parses the addresses in a `depends_on` argument. */
export const parseDependsOn = (json: unknown, place: BlockLocation): Traversal[] =>
  texts(json, `${place.address}.depends_on`, "addresses").map((text, index) =>
    withLocation(place, ["depends_on", index], () => parseTraversal(text)),
  );

/** Throws the error for an invalid block. */
export function malformed(what: string, why: string, action?: DiagnosticAction): never {
  return fail({
    code: "configuration_invalid",
    summary: "Invalid configuration",
    detail: `${what}: ${why}.`,
    ...(action !== undefined && { action }),
  });
}

/** Calls a parser and returns its result. If the parser throws an error, adds the block and the attribute to this error. */
export function withLocation<T>(place: BlockLocation, attribute: AttributePath, read: () => T): T {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof ExpressionError)) throw problem;
    const { summary, detail, action } = problem;
    const { address, construct } = place;
    return fail({
      code: "invalid_expression",
      summary,
      detail,
      ...(action !== undefined && { action }),
      address,
      attribute,
      ...(construct !== undefined && { construct }),
    });
  }
}
