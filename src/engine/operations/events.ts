import type { Diagnostic } from "../../diagnostics";
import type { RequestEvent } from "../../framework";
import type { EngineEvent } from "../model/events";
import type { LoadEvent } from "../source/environment";

/** What happens during a run over stacks. Sensitive values are left out of all of it. */
export type StacksEvent =
  | EngineEvent
  | LoadEvent
  /** What follows is about this stack, one of so many. */
  | { readonly kind: "stack"; readonly name: string | undefined; readonly count: number }
  | { readonly kind: "diagnostics"; readonly diagnostics: readonly Diagnostic[] }
  /** Something of the moment, such as whose lock is waited for. */
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "request"; readonly request: RequestEvent };
