import type { AttributePath } from "../../diagnostics";
import type { Range } from "./syntax";

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
