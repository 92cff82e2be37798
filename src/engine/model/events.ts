import type { Diagnostic } from "../../diagnostics";
import type { Action } from "./action";

/** Which object an event tells of: that of an instance, or one that waits for its end under a key. */
interface OfObject {
  readonly address: string;
  readonly deposed?: string;
}

/** What happens while the engine works; views turn it into progress, lines or JSON. */
export type EngineEvent =
  | (OfObject & { readonly kind: "refresh_start" | "refresh_complete"; readonly id?: string })
  | (OfObject & { readonly kind: "apply_start"; readonly action: Action; readonly id?: string })
  | (OfObject & {
      readonly kind: "apply_complete";
      readonly action: Action;
      readonly id?: string;
      readonly milliseconds: number;
    })
  | (OfObject & {
      readonly kind: "apply_errored";
      readonly action: Action;
      readonly milliseconds: number;
      readonly diagnostics: readonly Diagnostic[];
    })
  /** What became of a change that an interrupted run had begun; `foreign`: somebody else made what is there; `in-part`: what is
   * there is ours, and not yet all that was declared. */
  | (OfObject & {
      readonly kind: "settled";
      readonly action: "create" | "update" | "delete";
      readonly outcome: "done" | "in-part" | "not-done" | "foreign";
      readonly id?: string;
    })
  /** What has to be said before the first change is sent; it is among the diagnostics of the result, too. */
  | { readonly kind: "warned"; readonly diagnostics: readonly Diagnostic[] }
  /** How far a phase is; sent when `done` or `total` changes. */
  | {
      readonly kind: "progress";
      readonly phase: "refresh" | "apply";
      readonly done: number;
      readonly total: number;
    };

export type OnEvent = (event: EngineEvent) => void;
