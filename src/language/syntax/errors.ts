import { type AttributePath, nearest } from "../../diagnostics";
import type { Node, Range } from "./syntax";

export interface ExpressionProblem {
  /** Summary without names. */
  readonly summary: string;
  /** What happened, why, and how to fix it. */
  readonly detail: string;
  /** The source text of the expression. */
  readonly source: string;
  /** The range in the source. */
  readonly range: Range;
  /** The path of the source in the JSON structure. */
  readonly path?: AttributePath;
}

/** An expression that can't be parsed or evaluated, with its location. */
export class ExpressionError extends Error implements ExpressionProblem {
  override readonly name: string = "ExpressionError";
  readonly summary: string;
  readonly detail: string;
  readonly source: string;
  readonly range: Range;
  readonly path: AttributePath;
  /** Further problems of the same expression. */
  readonly others: readonly ExpressionError[];

  constructor(problem: ExpressionProblem, others: readonly ExpressionError[] = []) {
    super(`${problem.summary}: ${problem.detail}`);
    this.summary = problem.summary;
    this.detail = problem.detail;
    this.source = problem.source;
    this.range = problem.range;
    this.path = problem.path ?? [];
    this.others = others;
  }

  /** The same problem, located in the enclosing structure. */
  at(path: AttributePath): ExpressionError {
    const Kind = this.constructor as typeof ExpressionError;
    return new Kind(
      { ...this.problem, path: [...path, ...this.path] },
      this.others.map((one) => one.at(path)),
    );
  }

  /** The same problem together with others. */
  with(others: readonly ExpressionError[]): ExpressionError {
    const Kind = this.constructor as typeof ExpressionError;
    return new Kind(this.problem, others);
  }

  private get problem(): ExpressionProblem {
    const { summary, detail, source, range, path } = this;
    return { summary, detail, source, range, path };
  }

  /** The source text of the problem. */
  get text(): string {
    return this.source.slice(this.range.start, this.range.end);
  }
}

/**
 * An error that `try`, `can` and conditionals do not handle, because it does not depend on a value: an
 * unknown name, or an unsupported function.
 */
export class StaticExpressionError extends ExpressionError {
  override readonly name = "StaticExpressionError";
}

/** " Did you mean …?" if one of the names is similar, otherwise an empty text. */
export function suggest(given: string, names: Iterable<string>): string {
  const close = nearest(given, names);
  return close === undefined ? "" : ` Did you mean "${close}"?`;
}

/** Maximum height of a syntax tree: each level needs several stack frames of every tree walk. */
const MAX_HEIGHT = 1000;
/** Shorter texts can't be as deep. */
const SHORTEST_DEEP_TEXT = MAX_HEIGHT / 4;

/** The error for an expression that would exhaust the stack. */
export const tooDeep = (source: string, range: Range): ExpressionError =>
  new ExpressionError({
    summary: "Expression nested too deeply",
    detail: "The expression has too many nested levels or chained operators. Split it into several locals.",
    source,
    range,
  });

/** Refuses an expression that is too deep for tree walks. @throws ExpressionError */
export function checkHeight(source: string, root: Node): void {
  if (source.length < SHORTEST_DEEP_TEXT) return;
  let level: readonly object[] = [root];
  for (let height = 0; level.length > 0; height += 1) {
    if (height > MAX_HEIGHT) throw tooDeep(source, root.range);
    level = level.flatMap((part) => Object.values(part).filter(isObject));
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The program that has a feature, and the command to run, after `steward exec --`. */
export type Program = "terraform plan" | "terraform query" | "terraform test" | "tofu plan";

/** What references of Terraform and OpenTofu can begin with, and those of the engine can't. */
const REFERENCES: Readonly<Record<string, Program>> = {
  module: "terraform plan",
  ephemeral: "terraform plan",
  action: "terraform plan",
  list: "terraform query",
  "terraform.applying": "terraform plan",
  tofu: "tofu plan",
};

/** The program that has a kind of reference that the engine does not have. */
export const programForReference = (address: string): Program | undefined =>
  REFERENCES[address] ?? REFERENCES[address.split(".")[0]!];

/** The sentences for a feature that the embedded engine does not have. */
export const unsupportedText = (what: string, program: Program = "terraform plan"): string =>
  `${what} is not supported by the embedded engine. ` +
  `Run ${program.startsWith("tofu") ? "OpenTofu" : "Terraform"} on this configuration: \`steward exec -- ${program}\`.`;
