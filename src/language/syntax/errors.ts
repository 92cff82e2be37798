import type { AttributePath } from "../../diagnostics";
import type { Range } from "./syntax";

export interface ExpressionProblem {
  /** What is wrong, without names. */
  readonly summary: string;
  /** What happened, why, and how to mend it. */
  readonly detail: string;
  /** The text of the configuration that holds the expression. */
  readonly source: string;
  /** The place in the source. */
  readonly range: Range;
  /** Where the source stands in the JSON structure it was parsed from. */
  readonly path?: AttributePath;
}

/** An expression that cannot be parsed or evaluated, with the place that is to blame. */
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

  /** The same problem, seen from the structure that the source stands in. */
  at(path: AttributePath): ExpressionError {
    const Kind = this.constructor as typeof ExpressionError;
    return new Kind(
      { ...this.problem, path: [...path, ...this.path] },
      this.others.map((one) => one.at(path)),
    );
  }

  /** The same problem with others that came with it. */
  with(others: readonly ExpressionError[]): ExpressionError {
    const Kind = this.constructor as typeof ExpressionError;
    return new Kind(this.problem, others);
  }

  private get problem(): ExpressionProblem {
    const { summary, detail, source, range, path } = this;
    return { summary, detail, source, range, path };
  }

  /** The piece of the source that is to blame. */
  get text(): string {
    return this.source.slice(this.range.start, this.range.end);
  }
}

/**
 * An error that no `try`, `can` or conditional turns away, because it does not depend on any value: an unknown name,
 * or a function that this engine does not have.
 */
export class StaticExpressionError extends ExpressionError {
  override readonly name = "StaticExpressionError";
}
