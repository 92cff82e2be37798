import type { Diagnostic } from "../diagnostics";
import type { Action } from "./plan/action";

/** What happens while the engine works; views turn it into progress, lines or JSON. */
export type EngineEvent =
  | { readonly kind: "refresh_start" | "refresh_complete"; readonly address: string; readonly id?: string }
  | { readonly kind: "apply_start"; readonly address: string; readonly action: Action; readonly id?: string }
  | {
      readonly kind: "apply_complete";
      readonly address: string;
      readonly action: Action;
      readonly id?: string;
      readonly milliseconds: number;
    }
  | {
      readonly kind: "apply_errored";
      readonly address: string;
      readonly action: Action;
      readonly milliseconds: number;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** What became of a change that an interrupted run had begun; `foreign`: somebody else made what is there. */
  | {
      readonly kind: "settled";
      readonly address: string;
      readonly action: "create" | "update" | "delete";
      readonly outcome: "done" | "not-done" | "foreign";
      readonly id?: string;
    }
  /** How far a phase is; sent when `done` or `total` changes. */
  | {
      readonly kind: "progress";
      readonly phase: "refresh" | "apply";
      readonly done: number;
      readonly total: number;
    };

export type OnEvent = (event: EngineEvent) => void;
