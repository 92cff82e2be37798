import type { Enumeration, Value } from "../../engine";

/** `+` added, `-` removed, `~` changed, a space unchanged. */
export type Mark = "+" | "-" | "~" | " ";

/** The difference between two values, in the form that people read. */
export type Difference = { readonly mark: Mark; readonly forcesReplacement: boolean } & (
  | { readonly kind: "hidden" }
  | {
      readonly kind: "leaf";
      readonly before: Value | undefined;
      readonly after: Value | undefined;
      /** The names of values, such as levels. */
      readonly names?: Enumeration;
    }
  | { readonly kind: "lines"; readonly lines: readonly Line[] }
  /** Without a schema an object has only the fields that are set: a removed field does not become null. */
  | { readonly kind: "fields"; readonly fields: readonly Field[]; readonly hasSchema: boolean }
  | {
      readonly kind: "elements";
      readonly elements: readonly ElementDifference[];
      readonly unchanged: number;
      /** For a set: elements with equal keys are one. */
      readonly keyOf?: (element: Value) => string;
    }
  /** A value changes its kind, for example from a list to an unknown value. */
  | { readonly kind: "swap"; readonly before: Difference; readonly after: Difference }
);

/** An element that differs; in a set it has the key of its value. */
export type ElementDifference = Difference & { readonly key?: string };

export interface Field {
  readonly name: string;
  readonly difference: Difference;
}

/** One line of a multi-line text. */
export interface Line {
  readonly mark: Mark;
  readonly text: string;
}
