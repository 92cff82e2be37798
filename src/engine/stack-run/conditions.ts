import { type AttributePath, type Diagnostic, error, hasErrors, warning } from "../../diagnostics";
import {
  BOOL,
  type CheckDeclaration,
  type Condition,
  ConversionError,
  type Lifecycle,
  locate,
  type OutputDeclaration,
  type Repetition,
  type ResourceDeclaration,
  STRING,
  type Type,
  tryConvert,
  type Value,
  type VariableDeclaration,
} from "../../language";
import type { ValueObject } from "../../schema";
import { statedLines } from "../../text";
import { type CheckableKind, type PartResult, worst } from "../results/check-results";
import { markedValue } from "../results/redaction";
import type { Instance } from "./instances";
import type { StackRun } from "./stack-run";

/** An object with conditions of one kind: an instance, a variable, an output or a check. */
interface Checkable {
  readonly kind: CheckableKind;
  readonly address: string;
  /** The address of the object's declaration, if it differs from the object's address. */
  readonly declaration?: string;
  readonly construct: string | undefined;
  readonly conditions: readonly Condition[];
  /** The type of the blocks that contain the conditions. */
  readonly block: string;
  /** The summary of a failed condition's diagnostic, such as `Resource precondition failed`. */
  readonly summary: string;
  /** Whether a failed condition is only a warning. */
  readonly isOnlyWarning?: boolean;
  /** The values to which the conditions can refer in addition to declarations. */
  readonly scope?: Repetition;
}

interface ConditionResult extends PartResult {
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Evaluates conditions and records the result. If a condition needs an unknown value, the result is unknown and nothing is
 * reported.
 */
function check(run: StackRun, checkable: Checkable): readonly Diagnostic[] {
  const { kind, address, declaration = address, conditions, block } = checkable;
  if (conditions.length === 0) return [];
  const results = conditions.map((condition, index) =>
    new ConditionEvaluator(run, checkable, index).evaluate(condition),
  );
  run.checks.report(kind, declaration, address, block, {
    status: worst(results.map(({ status }) => status)),
    failureMessages: results.flatMap(({ failureMessages }) => failureMessages),
  });
  return results.flatMap(({ diagnostics }) => diagnostics);
}

const NO_MESSAGE = "This check failed, but its error message is invalid: see the other warnings.";

type Part = "condition" | "error_message";

class ConditionEvaluator {
  readonly #path: AttributePath;

  constructor(
    private readonly run: StackRun,
    private readonly of: Checkable,
    index: number,
  ) {
    this.#path = [...(of.kind === "resource" ? ["lifecycle"] : []), of.block, index];
  }

  evaluate({ condition, errorMessage }: Condition): ConditionResult {
    const { value: truth, diagnostics } = this.#value("condition", condition, BOOL);
    if (truth === undefined) return { status: "error", failureMessages: [], diagnostics };
    if (!truth.isKnown) return { status: "unknown", failureMessages: [], diagnostics: [] };
    if (truth.isNull) {
      const problem = this.#invalid("condition", "it is null, but it must be true or false");
      return { status: "error", failureMessages: [], diagnostics: [problem] };
    }
    if (truth.isTrue) return { status: "pass", failureMessages: [], diagnostics: [] };
    return this.#failure(errorMessage);
  }

  #failure(errorMessage: Condition["errorMessage"]): ConditionResult {
    const { value, diagnostics } = this.#value("error_message", errorMessage, STRING);
    const why = value && messageProblem(value);
    const message = value === undefined || why !== undefined ? undefined : value.text.trim();
    const report = this.of.isOnlyWarning ? warning : error;
    const problem = report({
      code: "condition_failed",
      summary: this.of.summary,
      detail: statedLines(message ?? NO_MESSAGE),
      ...locate(this.of, this.#path),
    });
    const invalid = why === undefined ? diagnostics : [this.#invalid("error_message", why)];
    return {
      status: "fail",
      failureMessages: message === undefined ? [] : [message],
      diagnostics: [problem, ...invalid],
    };
  }

  /**
   * Evaluates one part of a condition block, `condition` or `error_message`, and converts its value to the given type.
   * If the evaluation or the conversion fails, the value is undefined and the result contains diagnostics.
   */
  #value(part: Part, expression: Condition["condition"], type: Type) {
    const { of } = this;
    const found = this.run.evaluation.evaluate(expression, of, [...this.#path, part], of.scope);
    if (found.value === undefined) return found;
    const converted = tryConvert(found.value, type);
    return converted instanceof ConversionError
      ? {
          value: undefined,
          diagnostics: [
            this.#invalid(part, part === "condition" ? "it must be true or false" : converted.reason),
          ],
        }
      : { value: converted, diagnostics: [] };
  }

  #invalid(part: Part, why: string): Diagnostic {
    return error({
      code: "invalid_condition",
      summary: part === "condition" ? "Invalid condition result" : "Invalid error message",
      detail: `The ${part} can't be used: ${why}.`,
      ...locate(this.of, [...this.#path, part]),
    });
  }
}

/** Returns the reason why an error message can't be shown; undefined if it can be shown. */
function messageProblem(message: Value): string | undefined {
  if (!message.isKnown) return "it is known only after apply";
  if (message.isNull) return "it is null";
  if (message.hasEphemeral) return "it contains ephemeral values; use ephemeralasnull()";
  if (message.hasSensitive) return "it contains sensitive values; use nonsensitive() if it reveals nothing";
  return undefined;
}

/** The kind, the block and the summary of conditions that do not belong to instances. */
const VARIABLE = { kind: "var", block: "validation", summary: "Invalid value for a variable" } as const;
const OUTPUT = {
  kind: "output_value",
  block: "precondition",
  summary: "Output precondition failed",
} as const;
const CHECK = { kind: "check", block: "assert", summary: "Check failed", isOnlyWarning: true } as const;

/** Evaluates the `validation` blocks of a variable. */
export const checkVariable = (
  run: StackRun,
  { name, validations: conditions, construct }: VariableDeclaration,
): readonly Diagnostic[] => check(run, { ...VARIABLE, address: `var.${name}`, construct, conditions });

/** Evaluates the preconditions of an output. */
export const checkOutput = (
  run: StackRun,
  { name, preconditions: conditions, construct }: OutputDeclaration,
  isOnlyWarning: boolean,
): readonly Diagnostic[] =>
  check(run, { ...OUTPUT, address: `output.${name}`, construct, conditions, isOnlyWarning });

/** Evaluates the assertions of a `check` block. A failed assertion is only a warning. */
export const checkAssertions = (
  run: StackRun,
  { address, construct, asserts: conditions }: CheckDeclaration,
): readonly Diagnostic[] => check(run, { ...CHECK, address, construct, conditions });

/** Evaluates the assertions of a `check` block. Adds a warning if the result is known only after apply. */
export function checkBlock(run: StackRun, declaration: CheckDeclaration): readonly Diagnostic[] {
  const { address } = declaration;
  const found = checkAssertions(run, declaration);
  const isUnknown = run.checks.of(address)?.status === "unknown";
  return isUnknown && found.length === 0 ? [knownAfterApply(declaration)] : found;
}

/** One instance of a declaration in a run. */
export interface InstanceContext {
  readonly run: StackRun;
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
}

/** The object that postconditions see as `self`. */
interface SelfObject {
  readonly values: ValueObject | null | undefined;
  readonly sensitive: readonly AttributePath[];
}

/** Evaluates the preconditions or postconditions that an instance has, and records the result. */
export function checkInstance(
  { run, declaration, instance }: InstanceContext,
  block: "precondition" | "postcondition",
  selfObject?: SelfObject,
  isOnlyWarning = false,
): readonly Diagnostic[] {
  const { lifecycle, construct, mode } = declaration;
  const conditions = block === "precondition" ? lifecycle.preconditions : lifecycle.postconditions;
  const { attributes } = run.schema(declaration);
  const self = selfObject?.values && markedValue(attributes, selfObject.values, selfObject.sensitive);
  return check(run, {
    kind: "resource",
    declaration: declaration.address,
    address: instance.address,
    construct,
    conditions,
    block,
    isOnlyWarning,
    summary: `${mode === "data" ? "Data source" : "Resource"} ${block} failed`,
    scope: { ...instance.repetition, ...(self && { self }) },
  });
}

export const hasConditions = ({ preconditions, postconditions }: Lifecycle): boolean =>
  preconditions.length + postconditions.length > 0;

/**
 * Registers the conditions of a declaration, and of its instances if they are known, as not evaluated yet.
 */
export function registerConditions(
  checks: StackRun["checks"],
  address: string,
  { preconditions, postconditions }: Lifecycle,
  instances?: Iterable<{ readonly address: string }>,
): void {
  if (preconditions.length + postconditions.length === 0) return;
  const parts = [
    ...(preconditions.length > 0 ? ["precondition"] : []),
    ...(postconditions.length > 0 ? ["postcondition"] : []),
  ];
  checks.expect("resource", address, instances, parts);
}

/** Records a check as failed if its data source could not be read. The errors become warnings. */
export function reportNestedRead(
  run: StackRun,
  check: string,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!hasErrors(diagnostics)) return diagnostics;
  const failureMessages = diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);
  run.checks.report("check", check, check, "data", { status: "fail", failureMessages });
  return diagnostics.map((one) => ({ ...one, severity: "warning" }));
}

const knownAfterApply = (declaration: CheckDeclaration): Diagnostic =>
  warning({
    code: "check_open",
    summary: "Check not evaluated yet",
    detail: `${declaration.address} depends on values that are known only after apply. The apply evaluates it.`,
    ...locate(declaration),
  });
