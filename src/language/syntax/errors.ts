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
    /** The range in the source. */
    readonly range: Range,
    /** The path from the evaluated value to the string that contains the source. Empty if the value is this string. */
    readonly path: AttributePath = [],
    /** Further problems of the same expression. */
    readonly others: readonly ExpressionError[] = [],
    /** The command that fixes the problem, if there is one. */
    readonly action?: DiagnosticAction,
  ) {
    super(`${summary}: ${detail}`);
  }

  /** Returns this problem with a path that starts at an enclosing value. */
  at(path: AttributePath): ExpressionError {
    return this.copy(
      [...path, ...this.path],
      this.others.map((one) => one.at(path)),
    );
  }

  /** Returns the problem together with other problems. */
  with(others: readonly ExpressionError[]): ExpressionError {
    return this.copy(this.path, others);
  }

  private copy(path: AttributePath, others: readonly ExpressionError[]): ExpressionError {
    const Kind = this.constructor as typeof ExpressionError;
    return new Kind(this.summary, this.detail, this.range, path, others, this.action);
  }
}

/**
 * An error that `try`, `can` and conditionals do not handle, because it does not depend on a value. Examples are an unknown name
 * and an unsupported function.
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

/** A program with its subcommand that supports a feature of the configuration. */
export type Program = Exclude<OtherProgram, "terraform apply">;

/** The first words of references that only Terraform or OpenTofu supports, with the program to run. */
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

/** Returns the detail for a feature that the embedded engine lacks, and the program to run instead. */
export const notSupported = (what: string, program?: Program): RunInstead =>
  runInstead(`${what} is not supported by the embedded engine.`, program);

/** Returns a detail and its action: the reason why the embedded engine can't continue, and the program to run instead. */
export const runInstead = (why: string, program: Program = "terraform plan"): RunInstead => ({
  detail: `${why} Run ${program.startsWith("tofu") ? "OpenTofu" : "Terraform"} on this configuration.`,
  action: { kind: "other", program },
});

/** The detail of a diagnostic, and the action to run another program. */
export interface RunInstead {
  readonly detail: string;
  readonly action: DiagnosticAction;
}
