import type { BenchCollection } from "./collections";
import type { Step } from "./steps";

/** The programs that run the steps: the embedded engine, Terraform with Steward's provider, or gitlabform. */
export const ENGINES = ["embedded", "terraform", "gitlabform"] as const;
export type EngineName = (typeof ENGINES)[number];

export interface Case {
  readonly collection: BenchCollection;
  /** The number of records in the collection. */
  readonly count: number;
  /** The milliseconds by which the service delays each response. */
  readonly latency: number;
  readonly engine: EngineName;
  /** The steps to measure. */
  readonly steps: readonly Step[];
}

/** The cost of one command. */
export interface Figures {
  /** The number of requests that the service counted. */
  readonly requests: number;
  readonly seconds: number;
  /** The seconds of the processor. `megabytes` is the peak of the memory that all its processes use in total. */
  readonly cpu?: number;
  readonly megabytes?: number;
}

/** The phases of one command, in seconds. */
export interface Split {
  /**
   * The time of the user's app. The app runs before the command, and the time of the app is not part of the command's
   * time.
   */
  readonly synth: number;
  /** The time from the start of the process to its first output, plus the time from its last output to its exit. */
  readonly startUp: number;
  /**
   * Reading, checking and evaluating the configuration, until the first object is read. If no object is read, this time
   * counts as `diff`.
   */
  readonly load: number;
  /**
   * The time from the first read of an object to the last response. During this time, Steward already plans objects
   * that it has read.
   */
  readonly refresh: number;
  /** The time from the end of the refresh to the finished plan. */
  readonly diff: number;
  /** The time from the plan to the result, for requests, journal and state. */
  readonly write: number;
}

/** All figures of a case. */
export type Measurements = Readonly<Partial<Record<Step, Figures & { readonly split?: Split }>>>;
