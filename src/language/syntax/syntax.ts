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

export interface ObjectItem {
  readonly key: Node;
  readonly value: Node;
}

/** The parts of each kind of node. */
interface Parts {
  readonly literal: { readonly value: Value };
  readonly reference: { readonly traversal: Traversal };
  /** Steps into a value that is not a name, such as `f(x).name`. */
  readonly relative: { readonly source: Node; readonly steps: readonly Step[] };
  /** A computed index. */
  readonly index: { readonly collection: Node; readonly key: Node; readonly bracket: Range };
  /** `each` is the expression for each element, and `item` in it is the element. */
  readonly splat: { readonly source: Node; readonly each: Node; readonly marker: Range };
  /** The current element of a splat. */
  readonly item: object;
  readonly template: { readonly parts: readonly Node[] };
  /** The concatenated iterations of a `%{ for }`. */
  readonly join: { readonly parts: Node };
  /** Parentheses, or a text with a single interpolation: the same value, but no longer a plain name. */
  readonly group: { readonly inner: Node };
  readonly conditional: { readonly condition: Node; readonly whenTrue: Node; readonly whenFalse: Node };
  readonly binary: { readonly operator: BinaryOperator; readonly left: Node; readonly right: Node };
  readonly unary: { readonly operator: "-" | "!"; readonly operand: Node };
  /** A function call. With `isExpanded`, the last argument is expanded: `f(xs...)`. */
  readonly call: {
    readonly name: string;
    readonly args: readonly Node[];
    readonly isExpanded: boolean;
    readonly nameRange: Range;
  };
  readonly tuple: { readonly elements: readonly Node[] };
  /** With `hasUniqueKeys`, a duplicate key is an error, as in JSON. Otherwise, the last duplicate key wins. */
  readonly object: { readonly items: readonly ObjectItem[]; readonly hasUniqueKeys: boolean };
  /** With a key, the `for` creates an object. With `group`, it groups the values of equal keys: `value...`. */
  readonly for: {
    readonly keyName: string | undefined;
    readonly valueName: string;
    readonly collection: Node;
    readonly key: Node | undefined;
    readonly value: Node;
    readonly condition: Node | undefined;
    readonly isGrouped: boolean;
  };
  /**
   * An expression with its own source within another expression. The source is a string of a JSON structure, and the path is its
   * place there.
   */
  readonly embedded: { readonly expression: Expression; readonly path: AttributePath };
}

export type NodeKind = keyof Parts;
/** A node of one kind, or of any of several. */
export type NodeOf<K extends NodeKind> = {
  [Kind in K]: Parts[Kind] & { readonly kind: Kind; readonly range: Range };
}[K];
export type Node = NodeOf<NodeKind>;

/** The operators in the order in which they bind, the loosest first. */
export const BINARY_OPERATORS = [
  ["||"],
  ["&&"],
  ["==", "!="],
  [">", ">=", "<", "<="],
  ["+", "-"],
  ["*", "/", "%"],
] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number][number];

export const between = (first: Range, last: Range): Range => ({ start: first.start, end: last.end });
