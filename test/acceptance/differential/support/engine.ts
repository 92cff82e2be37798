import type { NormalPlan } from "./normal-form";

/** What is asked of an engine in one step. */
export interface Request {
  readonly mode?: "destroy" | "refresh-only" | undefined;
  readonly targets?: readonly string[] | undefined;
  readonly replace?: readonly string[] | undefined;
}

export interface Planned {
  /** Nothing where the engine refused. */
  readonly plan: NormalPlan | undefined;
  /** What it said then. */
  readonly refusal: string;
}

export interface Applied {
  readonly succeeded: boolean;
  readonly said: string;
}

/** What an engine works from. */
export interface Declared {
  readonly configuration: object;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The address of the service that the configuration is for. */
  readonly serviceUrl: string;
}

/** One engine with a state of its own. */
export interface Engine {
  /** Replaces what was declared before, and nothing else. */
  declare(declared: Declared): void;
  plan(request: Request): Promise<Planned>;
  /** Applies what was planned last. */
  apply(): Promise<Applied>;
  /** What another state, as text, would lead it to do. */
  planFrom(state: string, request: Request): Promise<Planned>;
  /** Its state file; nothing where there is none. */
  state(): string | undefined;
  /** Has it go on from another state. */
  writeState(text: string): void;
}
