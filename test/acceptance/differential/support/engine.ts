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

/** One engine with a configuration, a service and a state of its own. */
export interface Engine {
  /** Replaces the configuration, the variables, and nothing else. */
  declare(configuration: object, variables: Readonly<Record<string, unknown>>): void;
  plan(request: Request): Promise<Planned>;
  /** Applies what was planned last. */
  apply(): Promise<Applied>;
  /** What another engine's state, as text, would lead it to do on its own service. */
  planFrom(state: string, request: Request): Promise<Planned>;
  /** Its state file; nothing where there is none. */
  state(): string | undefined;
  /** Has it go on from another state. */
  writeState(text: string): void;
}
