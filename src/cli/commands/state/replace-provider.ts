import { emptyState, replaceProvider, requireSingle } from "../../../engine";
import type { ReplaceProviderArguments } from "../../arguments/state";
import { requireApproval } from "../../run/approval";
import { editNamedState } from "../../stacks/edit-state";
import { readNamedStates } from "../../stacks/read-states";
import type { Terminal } from "../../terminal/terminal";
import { isApproval, notApproved } from "../../views/approval";
import { providerQuestion, writeProviderReplaced } from "../../views/state-changes";

/** Changes the source address of a provider in a state. */
export async function replaceProviderInState(
  args: ReplaceProviderArguments,
  terminal: Terminal,
): Promise<number> {
  const { from, to, autoApprove, dryRun, lockTimeout } = args;
  const { backend, state = emptyState() } = requireSingle(
    await readNamedStates(args, terminal),
    "state replace-provider",
  );
  const preview = replaceProvider(state, from, to);
  if (dryRun || preview.replaced.length === 0) {
    writeProviderReplaced(preview.replaced, terminal, args);
    return 0;
  }
  requireApproval("state replace-provider", args, terminal);
  const approved = autoApprove || isApproval(await terminal.ask(providerQuestion(preview.replaced, args)));
  if (!approved) {
    terminal.err.line(notApproved(undefined, []));
    return 1;
  }
  const { replaced } = await editNamedState(
    backend,
    { operation: "state replace-provider", timeoutMs: lockTimeout },
    terminal,
    (current) => replaceProvider(current, from, to),
  );
  writeProviderReplaced(replaced, terminal, args);
  return 0;
}
