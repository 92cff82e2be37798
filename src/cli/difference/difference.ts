import type { AttributePath, PathStep } from "../../diagnostics";
import type { Attribute, Attributes, AttributeType, Enumeration, Value } from "../../engine";

/** The mark of a difference: `+` for added, `-` for removed, `~` for changed, and a space for unchanged. */
export type Mark = "+" | "-" | "~" | " ";

/**
 * The difference between two values, as a tree of plain data. Views print trees of this type, and reports contain them. The
 * values are texts, in the form that plans show. Two differences with equal trees are equal.
 */
export type Difference = DifferenceFacts &
  (
    | { readonly kind: "hidden" }
    /** A single value. A value without `before` is added, and a value without `after` is removed. */
    | { readonly kind: "leaf"; readonly before?: string; readonly after?: string }
    /** A text with several lines, compared line by line. */
    | { readonly kind: "lines"; readonly lines: readonly Line[] }
    | {
        readonly kind: "fields";
        /** The fields that differ. The difference also has the number of unchanged fields. */
        readonly fields: readonly Field[];
        readonly unchanged: number;
        /**
         * True if the schema names the fields. With a schema, a removed field becomes null. Without a schema, a removed field
         * disappears.
         */
        readonly nulls?: true;
      }
    | { readonly kind: "elements"; readonly elements: readonly Difference[]; readonly unchanged: number }
    /** A value that changes its kind, for example from a list to an unknown value. */
    | { readonly kind: "swap"; readonly before: Difference; readonly after: Difference }
  );

interface DifferenceFacts {
  readonly mark: Mark;
  /** Whether the change forces the replacement of the object. */
  readonly forces?: true;
  /** Notes that follow the value on its line, such as `live: false` or `added outside`. */
  readonly notes?: readonly string[];
  /** Remarks below the value, each on its own line, such as `now declared: level = 50`. */
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

/** The path of two compared values, and the facts about this path in the schema and the plan. */
export interface ValueContext {
  readonly path: AttributePath;
  /** The type of the values; undefined for values without a schema, such as outputs. */
  readonly type: AttributeType | undefined;
  /**
   * The names that the schema gives to values, such as `Developer` for 30. For a value with elements, the names that the schema
   * gives to the elements.
   */
  readonly names?: Enumeration | undefined;
  /** Whether the schema marks the value, or a value around it, as sensitive. */
  readonly isSecret: boolean;
  readonly sensitive: readonly AttributePath[];
  readonly replaces: readonly AttributePath[];
  /** For an attribute that was changed outside of this configuration: its applied value and its live value. */
  readonly outside?: OutsideValues | undefined;
}

export interface OutsideValues {
  readonly applied: Value;
  readonly live: Value;
}

/** Attributes whose live values were changed outside of this configuration, by name. */
export type ChangedOutside = ReadonlyMap<string, OutsideValues>;

/** The context of values without a schema and without secrets. */
export const NO_CONTEXT: ValueContext = {
  path: [],
  type: undefined,
  isSecret: false,
  sensitive: [],
  replaces: [],
};

export const at = (
  context: ValueContext,
  step: PathStep,
  attribute: Attribute | undefined,
  outside?: OutsideValues,
): ValueContext => ({
  path: [...context.path, step],
  type: attribute?.type,
  names: attribute?.text.values,
  isSecret: context.isSecret || attribute?.text.sensitive === true,
  sensitive: context.sensitive,
  replaces: context.replaces,
  outside,
});

export const element = (
  context: ValueContext,
  index: number,
  type: AttributeType | undefined,
): ValueContext => ({
  ...context,
  path: [...context.path, index],
  type,
  outside: undefined,
});

/** Returns the attributes of the objects at a path; undefined if the values at this path are not objects. */
export const attributesOf = ({ type }: Pick<ValueContext, "type">): Attributes | undefined =>
  type !== undefined && "nested" in type ? type.nested : undefined;

export const isReplacementCause = ({ path, replaces }: ValueContext): boolean =>
  replaces.some((one) => one.length === path.length && hasPrefix(path, one));

/**
 * Returns true if a value must be hidden. A secret in one element of a set hides the whole set, because elements have no
 * position.
 */
export const isHidden = ({ path, type, isSecret, sensitive }: ValueContext): boolean =>
  isSecret || sensitive.some((one) => hasPrefix(path, one) || (type?.kind === "set" && hasPrefix(one, path)));

const hasPrefix = (path: AttributePath, start: AttributePath): boolean =>
  start.length <= path.length && start.every((step, index) => step === path[index]);
