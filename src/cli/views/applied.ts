import type { ApplyResult, PlanMode } from "../../engine";
import { failedCounts } from "../document/totals";
import type { Style } from "../printing/style";
import { renderOutputs } from "./outputs";
import { doneSentence } from "./summary";

/**
 * The result of an apply or a destroy, with the new outputs.
 *
 * @param hasFailed whether the stack has an error, of its plan or of its apply, or an object that could not be checked
 */
export function renderApplied(
  mode: PlanMode,
  { done, unchecked, state, diagnostics }: ApplyResult,
  hasFailed: boolean,
  style: Style,
): string[] {
  const isDestroy = mode === "destroy";
  const counts = { ...done, ...failedCounts(diagnostics, unchecked) };
  const sentence = doneSentence(isDestroy ? "destroy" : "apply", counts, hasFailed);
  const line = hasFailed ? style.red(sentence) : style.green(sentence);
  const outputs = isDestroy ? [] : renderOutputs(state.outputs);
  return [style.bold(line), ...(outputs.length === 0 ? [] : ["", "Outputs:", "", ...outputs])];
}
