import type { NormalPlan } from "./normal-form";

/** The operation of an engine in one step. */
export interface Request {
  readonly mode?: "destroy" | "refresh-only" | undefined;
  readonly targets?: readonly string[] | undefined;
  readonly replace?: readonly string[] | undefined;
}

export interface Planned {
  /** Nothing where the engine refused. */
  readonly plan: NormalPlan | undefined;
  /** The output of that operation. */
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
  /** The address of the service that the configuration is for. */
  readonly serviceUrl: string;
}

/** One engine with a separate state. */
export interface Engine {
  /** Replaces the earlier declarations, and nothing else. */
  declare(declared: Declared): void;
  plan(request: Request): Promise<Planned>;
  /** Applies the last plan. */
  apply(): Promise<Applied>;
  /** The plan of the engine for another state, given as text. */
  planFrom(state: string, request: Request): Promise<Planned>;
  /** Its state file; nothing where there is none. */
  state(): string | undefined;
  /** Has it go on from another state. */
  writeState(text: string): void;
}
