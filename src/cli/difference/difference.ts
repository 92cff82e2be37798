import type { AttributePath, PathStep } from "../../diagnostics";
import type { Attribute, Attributes, AttributeType, Enumeration, Value } from "../../engine";

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
        /** The differing fields, and the number of unchanged fields. */
        readonly fields: readonly Field[];
        readonly unchanged: number;
        /** Whether a removed field becomes null. Without a schema, an object has only the fields that are set. */
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
  /** Notes after the value, such as `live: false` or `added outside`. */
  readonly notes?: readonly string[];
  /** Remarks on separate lines below, such as `now declared: level = 50`. */
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

/** The context of a comparison of two values: their path, and the facts about it from the schema and the plan. */
export interface ValueContext {
  readonly path: AttributePath;
  /** Undefined for values without a schema, such as outputs. */
  readonly type: AttributeType | undefined;
  /** The names of the value, or of the elements of a collection. */
  readonly names?: Enumeration | undefined;
  /** Whether the schema hides the value. */
  readonly isSecret: boolean;
  readonly sensitive: readonly AttributePath[];
  readonly replaces: readonly AttributePath[];
  /** For an attribute that changed outside of this configuration: its applied value, and its earlier live value. */
  readonly outside?: OutsideValues | undefined;
}

export interface OutsideValues {
  readonly applied: Value;
  readonly live: Value;
}

/** Attributes whose live values were changed outside of this configuration, by name. */
export type ChangedOutside = ReadonlyMap<string, OutsideValues>;

/** A context without a schema and without secrets. */
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

/** The attributes of objects at this place. */
export const attributesOf = ({ type }: Pick<ValueContext, "type">): Attributes | undefined =>
  type !== undefined && "nested" in type ? type.nested : undefined;

export const isReplacementCause = ({ path, replaces }: ValueContext): boolean =>
  replaces.some((one) => one.length === path.length && hasPrefix(path, one));

/**
 * Whether any part of the value must be hidden. Elements of a set have no position, so one secret hides the
 * whole set.
 */
export const isHidden = ({ path, type, isSecret, sensitive }: ValueContext): boolean =>
  isSecret || sensitive.some((one) => hasPrefix(path, one) || (type?.kind === "set" && hasPrefix(one, path)));

const hasPrefix = (path: AttributePath, start: AttributePath): boolean =>
  start.length <= path.length && start.every((step, index) => step === path[index]);
