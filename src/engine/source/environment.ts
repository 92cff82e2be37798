import type { Signals } from "../run/context";

/** The environment of a run. The engine takes nothing of it from the process. */
export interface Environment {
  /** The absolute working folder, for relative paths. */
  readonly folder: string;
  /** Environment variables for the app, the backend and providers, and `TF_VAR_` values. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The events of loading stacks. */
export type LoadEvent =
  /** `stopping`: the app was asked to end because the run was stopped. */
  | { readonly kind: "app"; readonly phase: "started" | "stopping" | "ended" }
  | { readonly kind: "log"; readonly level: "info" | "debug"; readonly message: string };

/** The options of loading stacks. */
export interface LoadOptions extends Environment, Signals {
  readonly onEvent?: ((event: LoadEvent) => void) | undefined;
}
