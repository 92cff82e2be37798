import { hasErrors } from "../../diagnostics";
import type { ApplyResult, PlanMode } from "../../engine";
import type { Style } from "../printing/style";
import { renderOutputs } from "./outputs";
import { doneSentence, uncheckedCount } from "./summary";

/** The result of an apply or a destroy, with the new outputs. */
export function renderApplied(
  mode: PlanMode,
  { done, diagnostics, unchecked, state }: ApplyResult,
  style: Style,
): string[] {
  const isDestroy = mode === "destroy";
  const hasFailed = hasErrors(diagnostics) || unchecked.length > 0;
  const counts = { ...done, ...uncheckedCount(unchecked) };
  const sentence = doneSentence(isDestroy ? "destroy" : "apply", counts, hasFailed);
  const line = hasFailed ? style.red(sentence) : style.green(sentence);
  const outputs = isDestroy ? [] : renderOutputs(state.outputs);
  return [style.bold(line), ...(outputs.length === 0 ? [] : ["", "Outputs:", "", ...outputs])];
}
