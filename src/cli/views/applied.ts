import { hasErrors } from "../../diagnostics";
import type { ApplyResult, PlanMode } from "../../engine";
import { renderOutputs } from "./outputs";
import type { Style } from "./style";

/** What an apply or a destroy did, and the outputs that there are now. */
export function renderApplied(
  mode: PlanMode,
  { done, diagnostics, state }: ApplyResult,
  style: Style,
): string {
  const isDestroy = mode === "destroy";
  const counts = isDestroy
    ? `${done.remove} destroyed`
    : `${done.add} added, ${done.change} changed, ${done.remove} destroyed`;
  const what = isDestroy ? "Destroy" : "Apply";
  const line = hasErrors(diagnostics)
    ? style.red(`${what} incomplete, see the errors. Resources: ${counts}.`)
    : style.green(`${what} complete! Resources: ${counts}.`);
  const outputs = isDestroy ? "" : renderOutputs(state.outputs);
  return `${style.bold(line)}\n${outputs === "" ? "" : `\nOutputs:\n\n${outputs}`}`;
}
