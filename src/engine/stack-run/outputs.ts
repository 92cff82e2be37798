import { error, hasErrors } from "../../diagnostics";
import {
  fromJson,
  infinitePath,
  locate,
  type OutputDeclaration,
  type Type,
  toPlain,
  typeFromJson,
  typeToJson,
  unknownAsNull,
  unmarkDeep,
  type Value,
} from "../../language";
import { type Value as Plain, sameValue } from "../../schema";
import type { OutputState } from "../../state";
import type { OutputChange } from "../results/plan";
import { checkOutput } from "./conditions";
import type { StackRun } from "./stack-run";

/** Evaluates an output. The evaluation fails if the value is sensitive, but the output is not declared as sensitive. */
export function evaluateOutput(run: StackRun, declaration: OutputDeclaration, isOnlyWarning = false) {
  const site = { address: `output.${declaration.name}`, construct: declaration.construct };
  const unmet = checkOutput(run, declaration, isOnlyWarning);
  if (hasErrors(unmet)) return { value: undefined, diagnostics: unmet };
  const { value, diagnostics: found } = run.evaluation.evaluate(declaration.value, site, ["value"]);
  const diagnostics = [...unmet, ...found];
  const problem = value === undefined ? undefined : outputProblem(declaration, value);
  if (problem === undefined) return { value, diagnostics };
  const located = error({ ...problem, ...locate(site, ["value"]) });
  return { value: undefined, diagnostics: [...diagnostics, located] };
}

function outputProblem({ name, sensitive }: OutputDeclaration, value: Value) {
  if (value.hasEphemeral)
    return {
      code: "ephemeral_value",
      summary: "Ephemeral value not allowed",
      detail: `The output "${name}" contains an ephemeral value, which must not be stored in the state. Replace the value with null: ephemeralasnull().`,
    } as const;
  if (infinitePath(toPlain(unmarkDeep(value).value)) !== undefined)
    return {
      code: "infinite_number",
      summary: "Infinite number",
      detail: `The output "${name}" is infinite, and a state can't store an infinite number. Guard the expression, for example with a condition.`,
    } as const;
  if (sensitive || !value.hasSensitive) return undefined;
  return {
    code: "sensitive_output",
    summary: "Output shows a sensitive value",
    detail: `The output "${name}" contains a sensitive value. Set \`sensitive\` on the output.`,
  } as const;
}

/** Returns an output in the form that the state stores. Unknown values become null. */
export function outputState(value: Value, sensitive: boolean): OutputState {
  const unmarked = unknownAsNull(unmarkDeep(value).value);
  return {
    value: toPlain(unmarked) as OutputState["value"],
    type: typeToJson(unmarked.type) as OutputState["type"],
    sensitive,
  };
}

/** Returns the change of one output. An undefined value means that the output does not exist. */
export function outputChange(
  name: string,
  before: OutputState | undefined,
  after: Value | undefined,
  sensitive: boolean,
): OutputChange {
  const old: Plain =
    before === undefined ? null : toPlain(fromJson(before.value, typeFromJson(before.type) as Type));
  const next: Plain = after === undefined ? null : toPlain(unmarkDeep(after).value);
  return {
    name,
    action: actionOf(before, after, old, next),
    before: old,
    after: next,
    ...(after !== undefined &&
      !after.hasUnknown && { afterType: typeToJson(after.type) as OutputState["type"] }),
    sensitive: sensitive || (before?.sensitive ?? false),
  };
}

function actionOf(before: OutputState | undefined, after: Value | undefined, old: Plain, next: Plain) {
  if (after === undefined || (next === null && before === undefined))
    return before === undefined ? "no-op" : "delete";
  if (before === undefined) return "create";
  const isSame = !after.hasUnknown && sameValue(old, next);
  return isSame ? "no-op" : "update";
}
