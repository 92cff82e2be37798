import type { Place } from "./world";

/** A fault that a test puts into a source file: the text `to` replaces the text `from`. */
export interface Planted {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** The message to a process that counts: which scene to run, against which service, and at which size. */
export interface Question {
  readonly place: Place;
  readonly size: number;
  /** The name of the scene to run. */
  readonly scene: string;
}

/** A place whose count grew more than its input. */
export interface Growing {
  /** The file, and the function that contains the place or the operation on a list. */
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
  /** The growing places. Places with the most work come first. */
  readonly growing: readonly Growing[];
}
