import type { Place } from "./world";

/** A fault in a file of the sources: one text that becomes another. */
export interface Planted {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The task of a process that counts. */
export interface Question {
  readonly place: Place;
  readonly size: number;
  /** The name of the scene to run. */
  readonly scene: string;
}

/** A place whose count grew more than its input. */
export interface Growing {
  /** The file, and the function there or the operation on a list. */
  readonly what: string;
  readonly line: number;
  readonly from: number;
  readonly to: number;
}

export interface Counted {
  readonly scene: string;
  readonly operation: string;
  readonly from: number;
  readonly to: number;
  /** Those with most work first. */
  readonly growing: readonly Growing[];
}
