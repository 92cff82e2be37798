import type { TerraformStack } from "cdktf";
import { libraryOf } from "./stack-family";

/** The variable of cdktn, set by `steward synth`. */
const DISABLED = "CDKTN_DISABLE_CREATION_STACK";

/** The module of cdktf and cdktn, which the others call through its exports. */
interface StackTraces {
  captureStackTrace?: () => string[];
}

/**
 * Keeps cdktf from recording a whole stack trace for each token, list and block, which only errors of tokens print, if the
 * variable of cdktn for the same is set. It takes a fifth of a synthesis, and more where a loader maps each trace to sources.
 */
export function omitCreationStacks(stackClass: typeof TerraformStack): void {
  if (!["true", "1"].includes(process.env[DISABLED] ?? "")) return;
  try {
    const traces: StackTraces = require(`${libraryOf(stackClass)}/lib/tokens/private/stack-trace`);
    if (traces.captureStackTrace !== undefined) traces.captureStackTrace = () => [];
  } catch {
    // A library that keeps them elsewhere, or an app in one file: synthesis takes longer, and nothing else changes.
  }
}
