import type { NormalPlan } from "./normal-form";

/** The plan that one step requests from an engine. */
export interface Request {
  readonly mode?: "destroy" | "refresh-only" | undefined;
  readonly targets?: readonly string[] | undefined;
  readonly replace?: readonly string[] | undefined;
}

export interface Planned {
  /** Undefined if the engine refused the operation. */
  readonly plan: NormalPlan | undefined;
  /** The error output of the engine. */
  readonly refusal: string;
}

export interface Applied {
  readonly succeeded: boolean;
  readonly said: string;
}

/** The inputs of an engine. */
export interface Declared {
  readonly configuration: object;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The address of the service in the configuration. */
  readonly serviceUrl: string;
}

/** One of the two compared engines. Each engine has its own state. */
export interface Engine {
  /** Replaces the declarations, but not the state. */
  declare(declared: Declared): void;
  plan(request: Request): Promise<Planned>;
  /** Applies the last plan. */
  apply(): Promise<Applied>;
  /** Returns the plan that this engine makes from another state. */
  planFrom(state: string, request: Request): Promise<Planned>;
  /** Returns the text of the state file; undefined if the file does not exist. */
  state(): string | undefined;
  /** Replaces the state of the engine. */
  writeState(text: string): void;
}
