import { type Diagnostic, hasErrors, warning } from "../../diagnostics";
import {
  type CheckDeclaration,
  type Condition,
  locate,
  type OutputDeclaration,
  type VariableDeclaration,
} from "../../language";
import type { CheckableKind } from "../model/check-results";
import type { StackRun } from "../run/stack-run";
import { checkConditions } from "./conditions";

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
