import { openState, recoverRun } from "../../../src/engine/recovery/open-state";
import type { RunContext } from "../../../src/engine/stack-run/context";
import type { StateBackend } from "../../../src/state";

/** Opens a state, recovers an interrupted run, and returns the context for the next steps, as the command does. */
export async function recovered(context: RunContext, backend: StateBackend) {
  const { state, journal } = await openState(backend);
  if (journal === undefined) return { state, context, diagnostics: [] };
  const found = await recoverRun(context, backend, journal, state);
  const { pendingRecovery } = found;
  return { ...found, context: { ...context, ...(pendingRecovery && { pendingRecovery }) } };
}
