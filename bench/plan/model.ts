import type { BenchCollection } from "./collections";
import type { Step } from "./steps";

/**
 * The program that plans and applies: this project's engine, Terraform with this project's provider, or another
 * program.
 */
export const ENGINES = ["embedded", "terraform", "gitlabform"] as const;
export type EngineName = (typeof ENGINES)[number];

export interface Case {
  readonly collection: BenchCollection;
  /** The number of records in the collection. */
  readonly count: number;
  /** Milliseconds that the service waits before each response. */
  readonly latency: number;
  readonly engine: EngineName;
  /** The measured figures. */
  readonly steps: readonly Step[];
}

/** The cost of one command. */
export interface Figures {
  /** The number of requests, counted at the service. */
  readonly requests: number;
  readonly seconds: number;
  /** Seconds that the processor worked for it, and the most memory that its processes took at once. */
  readonly cpu?: number;
  readonly megabytes?: number;
}

/** The phases of one command, in seconds. */
export interface Split {
  /** Running the app, before the command begins: no part of its time. */
  readonly synth: number;
  /** The time from the start of the process to its first output, plus the time from its last output to its exit. */
  readonly startUp: number;
  /** Reading, checking and evaluating, until the first object is read. Without a read, it is diff. */
  readonly load: number;
  /** From the first read of an object to the last response. Known objects are planned meanwhile. */
  readonly refresh: number;
  /** The time from the refresh to the plan. */
  readonly diff: number;
  /** From the plan to the result: requests, journal and state. */
  readonly write: number;
}

/** All figures of a case. */
export type Measurements = Readonly<Partial<Record<Step, Figures & { readonly split?: Split }>>>;
