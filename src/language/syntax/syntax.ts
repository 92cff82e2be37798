import type { AttributePath } from "../../diagnostics";
import type { Value } from "../values";

/** A range of a source text in UTF-16 units, the end exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** One step of a traversal: `.name`, or `[key]` (also written `.0`). */
export type Step = ({ readonly attribute: string } | { readonly index: Value }) & { readonly range: Range };

/** A reference to a name, with steps into its value: `acme_thing.y["a"].z[0]`. */
export interface Traversal {
  readonly root: string;
  readonly steps: readonly Step[];
  readonly range: Range;
}

/** A parsed expression with its source. */
export interface Expression {
  readonly source: string;
  readonly root: Node;
  /** The JSON value of an expression without templates, such as most of a configuration. */
  readonly constant?: { readonly json: unknown };
}

export interface Literal {
  readonly kind: "literal";
  readonly value: Value;
  readonly range: Range;
}

export interface Reference {
  readonly kind: "reference";
  readonly traversal: Traversal;
  readonly range: Range;
}

/** Steps into a value that is no name: `f(x).name`. */
interface Relative {
  readonly kind: "relative";
  readonly source: Node;
  readonly steps: readonly Step[];
  readonly range: Range;
}

/** A computed index. */
interface Index {
  readonly kind: "index";
  readonly collection: Node;
  readonly key: Node;
  readonly range: Range;
  readonly bracket: Range;
}

export interface Splat {
  readonly kind: "splat";
  readonly source: Node;
  /** The expression for each element, which `Item` stands for. */
  readonly each: Node;
  readonly range: Range;
  readonly marker: Range;
}

/** The current element of a splat. */
interface Item {
  readonly kind: "item";
  readonly range: Range;
}

export interface Template {
  readonly kind: "template";
  readonly parts: readonly Node[];
  readonly range: Range;
}

/** The concatenated iterations of a `%{ for }`. */
export interface Join {
  readonly kind: "join";
  readonly parts: Node;
  readonly range: Range;
}

/** Parentheses, or a text with a single interpolation: the same value, but no longer a plain name. */
interface Group {
  readonly kind: "group";
  readonly inner: Node;
  readonly range: Range;
}

export interface Conditional {
  readonly kind: "conditional";
  readonly condition: Node;
  readonly whenTrue: Node;
  readonly whenFalse: Node;
  readonly range: Range;
}

export type BinaryOperator =
  | "||"
  | "&&"
  | "=="
  | "!="
  | ">"
  | ">="
  | "<"
  | "<="
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

export interface Binary {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
  readonly range: Range;
}

export interface Unary {
  readonly kind: "unary";
  readonly operator: "-" | "!";
  readonly operand: Node;
  readonly range: Range;
}

export interface Call {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Node[];
  /** The last argument is expanded: `f(xs...)`. */
  readonly expand: boolean;
  readonly range: Range;
  readonly nameRange: Range;
}

export interface Tuple {
  readonly kind: "tuple";
  readonly elements: readonly Node[];
  readonly range: Range;
}

export interface ObjectItem {
  readonly key: Node;
  readonly value: Node;
}

export interface ObjectConstructor {
  readonly kind: "object";
  readonly items: readonly ObjectItem[];
  readonly range: Range;
  /** A duplicate key is an error, as in JSON; elsewhere the last one counts. */
  readonly uniqueKeys: boolean;
}

export interface For {
  readonly kind: "for";
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Node;
  /** Present for an object. */
  readonly key: Node | undefined;
  readonly value: Node;
  readonly condition: Node | undefined;
  /** Values of equal keys are grouped: `value...`. */
  readonly group: boolean;
  readonly range: Range;
}

/** An expression with its own source within another: a string of a JSON structure. */
interface Embedded {
  readonly kind: "embedded";
  readonly expression: Expression;
  /** Its path in the JSON structure. */
  readonly path: AttributePath;
  readonly range: Range;
}

export type Node =
  | Literal
  | Reference
  | Relative
  | Index
  | Splat
  | Item
  | Template
  | Join
  | Group
  | Conditional
  | Binary
  | Unary
  | Call
  | Tuple
  | ObjectConstructor
  | For
  | Embedded;

export const between = (first: Range, last: Range): Range => ({ start: first.start, end: last.end });
