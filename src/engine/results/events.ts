import type { Diagnostic } from "../../diagnostics";
import type { Action } from "./plan";

/** The object of an event, identified by its address. A deposed object also has its key. */
interface ObjectEvent {
  readonly address: string;
  readonly deposed?: string;
}

/** The events of a run. Views print them as progress, lines or JSON. */
export type EngineEvent =
  | (ObjectEvent & { readonly kind: "refresh_start" | "refresh_complete"; readonly id?: string })
  | (ObjectEvent & { readonly kind: "apply_start"; readonly action: Action; readonly id?: string })
  | (ObjectEvent & {
      readonly kind: "apply_complete";
      readonly action: Action;
      readonly id?: string;
      readonly milliseconds: number;
    })
  | (ObjectEvent & {
      readonly kind: "apply_errored";
      readonly action: Action;
      readonly milliseconds: number;
      readonly diagnostics: readonly Diagnostic[];
    })
  /**
   * The outcome of a change that an interrupted run had begun. `foreign`: another client created the object. `in-part`: Steward
   * created the object, but the object lacks some declared values.
   */
  | (ObjectEvent & {
      readonly kind: "settled";
      readonly action: "create" | "update" | "delete";
      readonly outcome: "done" | "in-part" | "not-done" | "foreign";
      readonly id?: string;
    })
  /**
   * The warnings that are known before the first change is sent. The result of the run also contains these warnings.
   */
  | { readonly kind: "warned"; readonly diagnostics: readonly Diagnostic[] }
  /** The progress of a phase. The event is emitted when `done` or `total` changes. */
  | {
      readonly kind: "progress";
      readonly phase: "refresh" | "apply" | "list";
      readonly done: number;
      readonly total: number;
      /** The address of the last finished object, or the path of the last finished container. */
      readonly last?: string | undefined;
    };

export type OnEvent = (event: EngineEvent) => void;
