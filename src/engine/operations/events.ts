import type { Diagnostic } from "../../diagnostics";
import type { RequestEvent } from "../../framework";
import type { EngineEvent } from "../model/events";
import type { LoadEvent } from "../source/environment";

/** The events of a run over stacks, with sensitive values redacted. */
export type StacksEvent =
  | EngineEvent
  | LoadEvent
  /** The following events belong to this stack, one of `count`. */
  | { readonly kind: "stack"; readonly name: string | undefined; readonly count: number }
  | { readonly kind: "diagnostics"; readonly diagnostics: readonly Diagnostic[] }
  /** A transient message, such as whose lock the run waits for. */
  | { readonly kind: "notice"; readonly text: string }
  | { readonly kind: "request"; readonly request: RequestEvent };
