import type { BenchCollection } from "./collections";
import type { Step } from "./steps";

/** Who plans and applies: this project's engine, Terraform with this project's provider, or the program beside it. */
export const ENGINES = ["embedded", "terraform", "gitlabform"] as const;
export type EngineName = (typeof ENGINES)[number];

export interface Case {
  readonly collection: BenchCollection;
  /** How many things the collection has. */
  readonly count: number;
  /** Milliseconds that the service waits before each answer. */
  readonly latency: number;
  readonly engine: EngineName;
  /** What is measured of it. */
  readonly steps: readonly Step[];
}

/** What one command took. */
export interface Figures {
  /** Counted at the service. */
  readonly requests: number;
  readonly seconds: number;
  /** Seconds that the processor worked for it, and the most memory that its processes took at once. */
  readonly cpu?: number;
  readonly megabytes?: number;
}

/** Where the time of one command goes, in seconds. */
export interface Split {
  /** Running the app, before the command begins: no part of its time. */
  readonly synth: number;
  /** From the process's start to its first word, and from its last one to its end. */
  readonly startUp: number;
  /** Reading, checking and evaluating, until the first object is looked at. Where none is looked at, it is diff. */
  readonly load: number;
  /** From the first look at an object to the last one's answer. What is known is planned meanwhile. */
  readonly refresh: number;
  /** From there to the plan. */
  readonly diff: number;
  /** From the plan to the result: requests, journal and state. */
  readonly write: number;
}

/** All that was measured of a case. */
export type Measurements = Readonly<Partial<Record<Step, Figures & { readonly split?: Split }>>>;
