import { refuseUnsettled } from "../../engine/journal/unsettled";
import type { StateBackend } from "../../engine/state/backend";
import { emptyState, type State } from "../../engine/state/model";
import type { Terminal } from "../terminal";
import { whileEditing } from "./interruption";
import { withLock } from "./with-lock";

/** Changes a state under its lock: as it is then, whatever was read before. Answers with what the change tells. */
export function editState<T extends { readonly state: State }>(
  backend: StateBackend,
  request: { readonly operation: string; readonly timeoutMs: number },
  terminal: Pick<Terminal, "err" | "onInterrupt" | "abort">,
  edit: (state: State) => T,
): Promise<T> {
  return whileEditing(terminal, (notice, signal) =>
    withLock(backend, { ...request, signal }, notice, async () => {
      await refuseUnsettled(backend);
      const edited = edit((await backend.read()) ?? emptyState());
      await backend.write(edited.state);
      return edited;
    }),
  );
}
