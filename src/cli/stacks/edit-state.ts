import { refuseUnsettled, withLock } from "../../engine";
import { emptyState, type State, type StateBackend } from "../../state";
import type { Terminal } from "../terminal/terminal";
import { whileEditing } from "./interruption";

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
