/** `+` added, `-` removed, `~` changed, a space unchanged. */
export type Mark = "+" | "-" | "~" | " ";

/**
 * The difference between two values as a tree of plain data: views print it, reports keep it, and differences with equal
 * trees are equal. Values are texts, as a plan shows them.
 */
export type Difference = DifferenceFacts &
  (
    | { readonly kind: "hidden" }
    /** Without `before` the value is added, without `after` it is removed. */
    | { readonly kind: "leaf"; readonly before?: string; readonly after?: string }
    /** A text of several lines. */
    | { readonly kind: "lines"; readonly lines: readonly Line[] }
    | {
        readonly kind: "fields";
        /** Those that differ, and their number beside them. */
        readonly fields: readonly Field[];
        readonly unchanged: number;
        /** Whether a removed field becomes null: without a schema an object has only the fields that are set. */
        readonly nulls?: true;
      }
    | { readonly kind: "elements"; readonly elements: readonly Difference[]; readonly unchanged: number }
    /** A value changes its kind, for example from a list to an unknown value. */
    | { readonly kind: "swap"; readonly before: Difference; readonly after: Difference }
  );

interface DifferenceFacts {
  readonly mark: Mark;
  /** Whether the change forces the replacement of the object. */
  readonly forces?: true;
  /** What stands behind the value, such as `live: false` or `added outside`. */
  readonly notes?: readonly string[];
  /** What stands in lines of its own below, such as `now declared: level = 50`. */
  readonly remarks?: readonly string[];
}

export interface Field {
  readonly name: string;
  readonly difference: Difference;
}

/** One line of a multi-line text. */
export interface Line {
  readonly mark: Mark;
  readonly text: string;
}

/** Whether a part of the value is sensitive, so that it must not be printed as a whole. */
export function hides(difference: Difference): boolean {
  switch (difference.kind) {
    case "hidden":
      return true;
    case "fields":
      return difference.fields.some((field) => hides(field.difference));
    case "elements":
      return difference.elements.some(hides);
    case "swap":
      return hides(difference.before) || hides(difference.after);
    default:
      return false;
  }
}
