/** What a run knows of its surroundings. The engine takes none of it from the process by itself. */
export interface Environment {
  /** The working folder, absolute: relative paths begin here. */
  readonly folder: string;
  /** Environment variables: of the app, of the backend, of providers, and `TF_VAR_` values. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What ends a run before its time. */
export interface Signals {
  /** Once aborted nothing more is begun; what is under way is finished and saved. */
  readonly stop?: AbortSignal | undefined;
  /** Once aborted what is under way is given up as well. */
  readonly abort?: AbortSignal | undefined;
}

/** What happens while stacks are loaded. */
export type LoadEvent =
  /** `stopping`: the app was asked to end, because the run was stopped. */
  | { readonly kind: "app"; readonly phase: "started" | "stopping" | "ended" }
  | { readonly kind: "log"; readonly level: "info" | "debug"; readonly message: string };

/** How stacks are loaded. */
export interface Loading extends Environment, Signals {
  readonly onEvent?: ((event: LoadEvent) => void) | undefined;
}
