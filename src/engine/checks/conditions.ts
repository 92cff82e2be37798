import { type AttributePath, type Diagnostic, error, warning } from "../../diagnostics";
import {
  BOOL,
  type Condition,
  ConversionError,
  convert,
  type Evaluation,
  locate,
  type Repetition,
  type SourceLocation,
  STRING,
  type Value,
} from "../../language";
import { statedLines } from "../../text";
import { type CheckStatus, worst } from "../model/check-results";

/** The combined result of an object's conditions. */
export interface ConditionsResult {
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How failed conditions are reported. */
export interface ConditionOptions {
  /** The diagnostic's summary, such as `Resource precondition failed`. */
  readonly summary: string;
  /** The attribute of the conditions' blocks, without an index. */
  readonly attribute: AttributePath;
  /** Report a failed condition as a warning. */
  readonly isOnlyWarning?: boolean;
}

/** Evaluates conditions. A condition on unknown values is unknown and reports nothing. */
export function checkConditions(
  conditions: readonly Condition[],
  evaluation: Evaluation,
  site: SourceLocation,
  repetition: Repetition,
  options: ConditionOptions,
): ConditionsResult {
  const outcomes = conditions.map((condition, index) =>
    new ConditionEvaluator(evaluation, site, repetition, options, [...options.attribute, index]).evaluate(
      condition,
    ),
  );
  return {
    status: worst(outcomes.map(({ status }) => status)),
    failureMessages: outcomes.flatMap(({ failureMessages }) => failureMessages),
    diagnostics: outcomes.flatMap(({ diagnostics }) => diagnostics),
  };
}

const NO_MESSAGE = "This check failed, but has an invalid error message as described in the other warnings.";

class ConditionEvaluator {
  constructor(
    private readonly evaluation: Evaluation,
    private readonly site: SourceLocation,
    private readonly repetition: Repetition,
    private readonly options: ConditionOptions,
    private readonly attribute: AttributePath,
  ) {}

  evaluate({ condition, errorMessage }: Condition): ConditionsResult {
    const path = [...this.attribute, "condition"];
    const evaluated = this.evaluation.evaluate(condition, this.site, path, this.repetition);
    if (evaluated.value === undefined) return failed(evaluated.diagnostics);
    const truth = this.#convert(evaluated.value, "condition");
    if (!("value" in truth)) return failed([truth.problem]);
    if (!truth.value.isKnown) return { status: "unknown", failureMessages: [], diagnostics: [] };
    if (truth.value.isNull)
      return failed([this.#invalid("condition", "it is null, and must be true or false")]);
    if (truth.value.truth) return { status: "pass", failureMessages: [], diagnostics: [] };
    return this.#failure(errorMessage);
  }

  #failure(errorMessage: Condition["errorMessage"]): ConditionsResult {
    const { message, diagnostics } = this.#message(errorMessage);
    const { summary, isOnlyWarning } = this.options;
    const report = isOnlyWarning ? warning : error;
    const problem = report({
      code: "condition_failed",
      summary,
      detail: statedLines(message ?? NO_MESSAGE),
      ...locate(this.site, this.attribute),
    });
    return {
      status: "fail",
      failureMessages: message === undefined ? [] : [message],
      diagnostics: [problem, ...diagnostics],
    };
  }

  #message(expression: Condition["errorMessage"]): { message?: string; diagnostics: readonly Diagnostic[] } {
    const path = [...this.attribute, "error_message"];
    const { value, diagnostics } = this.evaluation.evaluate(expression, this.site, path, this.repetition);
    if (value === undefined) return { diagnostics };
    const text = this.#convert(value, "error_message");
    if (!("value" in text)) return { diagnostics: [text.problem] };
    const why = !text.value.isKnown
      ? "it is known after apply only"
      : text.value.isNull
        ? "it is null"
        : text.value.containsEphemeral
          ? "it refers to ephemeral values, so it is not shown; use ephemeralasnull() on them"
          : text.value.containsSensitive
            ? "it refers to sensitive values, so it is not shown; use nonsensitive() if it gives nothing away"
            : undefined;
    if (why !== undefined) return { diagnostics: [this.#invalid("error_message", why)] };
    return { message: text.value.text.trim(), diagnostics: [] };
  }

  #convert(value: Value, part: "condition" | "error_message"): { value: Value } | { problem: Diagnostic } {
    try {
      return { value: convert(value, part === "condition" ? BOOL : STRING) };
    } catch (problem) {
      if (!(problem instanceof ConversionError)) throw problem;
      return { problem: this.#invalid(part, problem.reason) };
    }
  }

  #invalid(part: "condition" | "error_message", why: string): Diagnostic {
    return error({
      code: "invalid_condition",
      summary: part === "condition" ? "Invalid condition result" : "Invalid error message",
      detail: `The ${part} can't be used: ${why}.`,
      ...locate(this.site, [...this.attribute, part]),
    });
  }
}

const failed = (diagnostics: readonly Diagnostic[]): ConditionsResult => ({
  status: "error",
  failureMessages: [],
  diagnostics,
});
