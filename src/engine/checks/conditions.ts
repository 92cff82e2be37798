import { type AttributePath, type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import {
  BOOL,
  type CheckDeclaration,
  type Condition,
  ConversionError,
  convert,
  type Evaluation,
  locate,
  type OutputDeclaration,
  type Repetition,
  type SourceLocation,
  STRING,
  type Value,
  type VariableDeclaration,
} from "../../language";
import { statedLines } from "../../text";
import { type CheckableKind, type CheckStatus, worst } from "../model/check-results";
import type { StackRun } from "../run/stack-run";

/** The combined result of an object's conditions. */
interface ConditionsResult {
  readonly status: CheckStatus;
  readonly failureMessages: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** How failed conditions are reported. */
interface ConditionOptions {
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
    if (truth.value.isTrue) return { status: "pass", failureMessages: [], diagnostics: [] };
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
        : text.value.hasEphemeral
          ? "it refers to ephemeral values, so it is not shown; use ephemeralasnull() on them"
          : text.value.hasSensitive
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

/** The two groups of conditions that a check has: its own, and the read of its data source. */
const OWN_CONDITIONS = "conditions";
const DATA_SOURCE = "data";

interface Checkable {
  readonly kind: CheckableKind;
  readonly address: string;
  readonly construct: string | undefined;
  readonly conditions: readonly Condition[];
  readonly block: string;
  readonly summary: string;
  readonly isOnlyWarning?: boolean;
}

/** Evaluates the `validation` blocks of a variable. */
export const checkVariable = (
  run: StackRun,
  { name, validations, construct }: VariableDeclaration,
): readonly Diagnostic[] =>
  check(run, {
    kind: "var",
    address: `var.${name}`,
    construct,
    conditions: validations,
    block: "validation",
    summary: "Invalid value for a variable",
  });

/** Evaluates the preconditions of an output. */
export const checkOutput = (
  run: StackRun,
  { name, preconditions, construct }: OutputDeclaration,
  isOnlyWarning: boolean,
): readonly Diagnostic[] =>
  check(run, {
    kind: "output_value",
    address: `output.${name}`,
    construct,
    conditions: preconditions,
    block: "precondition",
    summary: "Output precondition failed",
    isOnlyWarning,
  });

/** Evaluates the assertions of a `check` block. A failed one is a warning. */
export const checkAssertions = (
  run: StackRun,
  { address, construct, asserts }: CheckDeclaration,
): readonly Diagnostic[] =>
  check(run, {
    kind: "check",
    address,
    construct,
    conditions: asserts,
    block: "assert",
    summary: "Check failed",
    isOnlyWarning: true,
  });

/** Like `checkAssertions`, with a warning if the result is known only after apply. */
export function checkBlock(run: StackRun, declaration: CheckDeclaration): readonly Diagnostic[] {
  const { address } = declaration;
  const found = checkAssertions(run, declaration);
  const isUnknown = run.checks.of(address)?.status === "unknown";
  return isUnknown && found.length === 0 ? [knownAfterApply(declaration)] : found;
}

function check(run: StackRun, checkable: Checkable): readonly Diagnostic[] {
  const { kind, address, construct, conditions, block, summary, isOnlyWarning = false } = checkable;
  if (conditions.length === 0) return [];
  const site = { address, construct };
  const options = { summary, attribute: [block], isOnlyWarning };
  const outcome = checkConditions(conditions, run.evaluation, site, {}, options);
  run.checks.report(kind, address, address, OWN_CONDITIONS, outcome);
  return outcome.diagnostics;
}

/** Fails a check whose data source could not be read; the errors become warnings. */
export function reportNestedRead(
  run: StackRun,
  check: string,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!hasErrors(diagnostics)) return diagnostics;
  const failureMessages = diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);
  run.checks.report("check", check, check, DATA_SOURCE, { status: "fail", failureMessages });
  return diagnostics.map((one) => ({ ...one, severity: "warning" }));
}

const knownAfterApply = (declaration: CheckDeclaration): Diagnostic =>
  warning({
    code: "check_open",
    summary: "Check known after apply only",
    detail: `${declaration.address} refers to values that are not known yet. It is checked when this plan is applied.`,
    ...locate(declaration),
  });
