import type { Value } from "../../engine";

/** `+` appears, `-` goes, `~` changes, a space stays. */
export type Mark = "+" | "-" | "~" | " ";

/** The difference between two values, in the shape in which people read it. */
export type Difference = { readonly mark: Mark; readonly forcesReplacement: boolean } & (
  | { readonly kind: "hidden" }
  | { readonly kind: "leaf"; readonly before: Value | undefined; readonly after: Value | undefined }
  | { readonly kind: "lines"; readonly lines: readonly Line[] }
  /** Without a schema an object has just the fields that it has: what goes doesn't become null. */
  | { readonly kind: "fields"; readonly fields: readonly Field[]; readonly hasSchema: boolean }
  | { readonly kind: "elements"; readonly elements: readonly Difference[]; readonly unchanged: number }
  /** One kind of value gives way to another, such as a list to a value that is not known yet. */
  | { readonly kind: "swap"; readonly before: Difference; readonly after: Difference }
);

export interface Field {
  readonly name: string;
  readonly difference: Difference;
}

/** One line of a text over several lines. */
export interface Line {
  readonly mark: Mark;
  readonly text: string;
}
