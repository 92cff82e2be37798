import { type AttributePath, type Diagnostic, error, warning } from "../../diagnostics";
import {
  BOOL,
  type Condition,
  ConversionError,
  containsSensitive,
  convert,
  type Evaluation,
  isKnown,
  isNull,
  locate,
  type Repetition,
  type SourceLocation,
  STRING,
  textOf,
  truthOf,
  type Value,
} from "../../language";
import { statedLines } from "../../text";
import { type CheckStatus, worst } from "../model/check-results";

/** What came of some conditions of one object. */
export interface ConditionsOutcome {
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How conditions are told of. */
export interface ConditionsManner {
  /** Such as `Resource precondition failed`. */
  readonly summary: string;
  /** The attribute of the first condition's block, without its index. */
  readonly attribute: AttributePath;
  /** One that fails is only worth a warning. */
  readonly onlyWarns?: boolean;
}

/** Evaluates conditions; one whose values are not known yet is unknown and tells nothing. */
export function checkConditions(
  conditions: readonly Condition[],
  evaluation: Evaluation,
  site: SourceLocation,
  repetition: Repetition,
  manner: ConditionsManner,
): ConditionsOutcome {
  const outcomes = conditions.map((condition, index) =>
    new Check(evaluation, site, repetition, manner, [...manner.attribute, index]).outcome(condition),
  );
  return {
    status: worst(outcomes.map(({ status }) => status)),
    failureMessages: outcomes.flatMap(({ failureMessages }) => failureMessages),
    diagnostics: outcomes.flatMap(({ diagnostics }) => diagnostics),
  };
}

const UNTELLABLE = "This check failed, but has an invalid error message as described in the other warnings.";

class Check {
  readonly #evaluation: Evaluation;
  readonly #site: SourceLocation;
  readonly #repetition: Repetition;
  readonly #manner: ConditionsManner;
  readonly #attribute: AttributePath;

  constructor(
    evaluation: Evaluation,
    site: SourceLocation,
    repetition: Repetition,
    manner: ConditionsManner,
    attribute: AttributePath,
  ) {
    this.#evaluation = evaluation;
    this.#site = site;
    this.#repetition = repetition;
    this.#manner = manner;
    this.#attribute = attribute;
  }

  outcome({ condition, errorMessage }: Condition): ConditionsOutcome {
    const at = [...this.#attribute, "condition"];
    const evaluated = this.#evaluation.evaluate(condition, this.#site, at, this.#repetition);
    if (evaluated.value === undefined) return failed(evaluated.diagnostics);
    const truth = this.#convert(evaluated.value, "condition");
    if (!("value" in truth)) return failed([truth.problem]);
    if (!isKnown(truth.value)) return { status: "unknown", failureMessages: [], diagnostics: [] };
    if (isNull(truth.value))
      return failed([this.#invalid("condition", "it is null, and must be true or false")]);
    if (truthOf(truth.value)) return { status: "pass", failureMessages: [], diagnostics: [] };
    return this.#failure(errorMessage);
  }

  #failure(errorMessage: Condition["errorMessage"]): ConditionsOutcome {
    const { message, diagnostics } = this.#message(errorMessage);
    const { summary, onlyWarns } = this.#manner;
    const tell = onlyWarns ? warning : error;
    const problem = tell({
      code: "condition_failed",
      summary,
      detail: statedLines(message ?? UNTELLABLE),
      ...locate(this.#site, this.#attribute),
    });
    return {
      status: "fail",
      failureMessages: message === undefined ? [] : [message],
      diagnostics: [problem, ...diagnostics],
    };
  }

  #message(expression: Condition["errorMessage"]): { message?: string; diagnostics: readonly Diagnostic[] } {
    const at = [...this.#attribute, "error_message"];
    const { value, diagnostics } = this.#evaluation.evaluate(expression, this.#site, at, this.#repetition);
    if (value === undefined) return { diagnostics };
    const text = this.#convert(value, "error_message");
    if (!("value" in text)) return { diagnostics: [text.problem] };
    const why = !isKnown(text.value)
      ? "it is known after apply only"
      : isNull(text.value)
        ? "it is null"
        : containsSensitive(text.value)
          ? "it refers to sensitive values, so it is not shown; use nonsensitive() if it gives nothing away"
          : undefined;
    if (why !== undefined) return { diagnostics: [this.#invalid("error_message", why)] };
    return { message: textOf(text.value).trim(), diagnostics: [] };
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
      ...locate(this.#site, [...this.#attribute, part]),
    });
  }
}

const failed = (diagnostics: readonly Diagnostic[]): ConditionsOutcome => ({
  status: "error",
  failureMessages: [],
  diagnostics,
});
