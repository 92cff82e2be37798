import type { Place } from "./world";

/** A fault in a source file: one text that replaces another text. */
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
  /** The file, with the function at the place or the operation on a list. */
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
  /** The growing places, starting with the most work. */
  readonly growing: readonly Growing[];
}
