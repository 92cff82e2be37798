import { type AttributePath, type DiagnosticAction, nearest, type OtherProgram } from "../../diagnostics";
import type { Range } from "./syntax";

/** An expression that can't be parsed or evaluated, with its location. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";

  constructor(
    /** The summary, without names from the configuration. */
    readonly summary: string,
    /** The problem, its reason, and how to fix it. */
    readonly detail: string,
    /** The range of the problem in the source. */
    readonly range: Range,
    /** The path from the evaluated value to the text that contains the source; empty if the value is this text itself. */
    readonly path: AttributePath = [],
    /** Other problems in the same expression. */
    readonly others: readonly ExpressionError[] = [],
    /** The command that fixes the problem; undefined if there is none. */
    readonly action?: DiagnosticAction,
  ) {
    super(`${summary}: ${detail}`);
  }

  /** Returns this problem with a longer path. `path` leads from an outer value to the value of this problem. */
  at(path: AttributePath): ExpressionError {
    return this.copy(
      [...path, ...this.path],
      this.others.map((one) => one.at(path)),
    );
  }

  /** Returns this problem, with other problems of the same expression added. */
  with(others: readonly ExpressionError[]): ExpressionError {
    return this.copy(this.path, others);
  }

  private copy(path: AttributePath, others: readonly ExpressionError[]): ExpressionError {
    const Kind = this.constructor as typeof ExpressionError;
    return new Kind(this.summary, this.detail, this.range, path, others, this.action);
  }
}

/**
 * An error that does not depend on a value, such as an unknown name or an unsupported function. Therefore, `try`, `can` and
 * conditionals do not handle such an error.
 */
export class StaticExpressionError extends ExpressionError {
  override readonly name = "StaticExpressionError";
}

/** Returns " Did you mean …?" if one of the names is similar, otherwise an empty text. */
export function suggest(given: string, names: Iterable<string>): string {
  const close = nearest(given, names);
  return close === undefined ? "" : ` Did you mean "${close}"?`;
}

/** The error for an expression that would exhaust the stack. */
export const tooDeep = (range: Range): ExpressionError =>
  new ExpressionError(
    "Expression nested too deeply",
    "The expression has too many nested levels or chained operators. Split it into several locals.",
    range,
  );

/** A program and subcommand that can run a configuration which the engine does not support. */
export type Program = Exclude<OtherProgram, "terraform apply">;

/** The program that supports each kind of reference that the embedded engine does not support. */
const REFERENCES: Readonly<Record<string, Program>> = {
  module: "terraform plan",
  ephemeral: "terraform plan",
  action: "terraform plan",
  list: "terraform query",
  "terraform.applying": "terraform plan",
  tofu: "tofu plan",
};

/** Returns the program that supports a kind of reference; undefined if the engine supports it. */
export const programForReference = (address: string): Program | undefined =>
  REFERENCES[address] ?? REFERENCES[address.split(".")[0]!];

/** Returns a detail about a feature that the embedded engine does not support, and the action to run another program. */
export const notSupported = (what: string, program?: Program): RunInstead =>
  runInstead(`${what} is not supported by the embedded engine.`, program);

/**
 * Returns the detail and the action of a diagnostic. The detail contains the reason why the embedded engine can't continue. The
 * action names the program to run instead.
 */
export const runInstead = (why: string, program: Program = "terraform plan"): RunInstead => ({
  detail: `${why} Run ${program.startsWith("tofu") ? "OpenTofu" : "Terraform"} on this configuration.`,
  action: { kind: "other", program },
});

/** The detail of a diagnostic, and an action with the program to run instead. */
export interface RunInstead {
  readonly detail: string;
  readonly action: DiagnosticAction;
}
