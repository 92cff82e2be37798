import { editState, type State, type StateBackend } from "../../engine";
import type { Terminal } from "../terminal/terminal";
import { whileEditing } from "./interruption";

/** Edits a state under its lock. A signal cancels the wait for the lock, but not an edit in progress. */
export const editNamedState = <T extends { readonly state: State }>(
  backend: StateBackend,
  request: { readonly operation: string; readonly timeoutMs: number },
  terminal: Pick<Terminal, "err" | "onInterrupt" | "abort">,
  edit: (state: State) => T,
): Promise<T> =>
  whileEditing(terminal, (onNotice, signal) => editState(backend, { ...request, onNotice, signal }, edit));
