import type { AttributePath } from "../../diagnostics";
import type { Value } from "../values";

/** A range of a source text, in UTF-16 units. `end` is the position after the last unit. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** One step of a traversal: `.name`, or `[key]` (also written `.0`). */
export type Step = ({ readonly attribute: string } | { readonly index: Value }) & { readonly range: Range };

/** A reference to a name, with attributes and indexes of its value: `acme_thing.y["a"].z[0]`. */
export interface Traversal {
  readonly root: string;
  readonly steps: readonly Step[];
  readonly range: Range;
}

/** A parsed expression with its source. */
export interface Expression {
  readonly source: string;
  readonly root: Node;
  /**
   * The JSON value of an expression without templates; absent for other expressions. Most expressions of a configuration have
   * this field.
   */
  readonly constant?: { readonly json: unknown };
}

export interface ObjectItem {
  readonly key: Node;
  readonly value: Node;
}

/** The fields of the nodes in a syntax tree, by the kind of node. */
interface Parts {
  readonly literal: { readonly value: Value };
  readonly reference: { readonly traversal: Traversal };
  /** An expression that is not a name, with attributes and indexes of its value, such as `f(x).name`. */
  readonly relative: { readonly source: Node; readonly steps: readonly Step[] };
  /** An index such as `a[b]`, whose key is not constant. */
  readonly index: { readonly collection: Node; readonly key: Node; readonly bracket: Range };
  /**
   * A splat, such as `source[*].x`. `each` is the expression for one element. In this expression, the node `item` is the
   * element.
   */
  readonly splat: { readonly source: Node; readonly each: Node; readonly marker: Range };
  /** The current element in the `each` expression of a splat. */
  readonly item: object;
  readonly template: { readonly parts: readonly Node[] };
  /** A `%{ for }`, which joins the texts of its iterations to one text. */
  readonly join: { readonly parts: Node };
  /**
   * An expression in parentheses, or a text that is a single interpolation. The node has the value of the inner expression, but
   * is not a reference.
   */
  readonly group: { readonly inner: Node };
  readonly conditional: { readonly condition: Node; readonly whenTrue: Node; readonly whenFalse: Node };
  readonly binary: { readonly operator: BinaryOperator; readonly left: Node; readonly right: Node };
  readonly unary: { readonly operator: "-" | "!"; readonly operand: Node };
  /** A function call. If `isExpanded` is true, as in `f(xs...)`, the elements of the last argument become separate arguments. */
  readonly call: {
    readonly name: string;
    readonly args: readonly Node[];
    readonly isExpanded: boolean;
    readonly nameRange: Range;
  };
  readonly tuple: { readonly elements: readonly Node[] };
  /**
   * An object expression. If `hasUniqueKeys` is true, a duplicate key is an error, as in JSON. If `hasUniqueKeys` is false, the
   * last duplicate key wins.
   */
  readonly object: { readonly items: readonly ObjectItem[]; readonly hasUniqueKeys: boolean };
  /**
   * A `for` expression. The result is an object if the expression has a key, and otherwise a tuple. If `isGrouped` is true
   * (`value...`), a tuple collects the values with equal keys.
   */
  readonly for: {
    readonly keyName: string | undefined;
    readonly valueName: string;
    readonly collection: Node;
    readonly key: Node | undefined;
    readonly value: Node;
    readonly condition: Node | undefined;
    readonly isGrouped: boolean;
  };
  /** A string in a JSON value, which is parsed as a separate expression. `path` is the path from the JSON value to the string. */
  readonly embedded: { readonly expression: Expression; readonly path: AttributePath };
}

export type NodeKind = keyof Parts;
/** A node of one kind, or the union of nodes of several kinds. */
export type NodeOf<K extends NodeKind> = {
  [Kind in K]: Parts[Kind] & { readonly kind: Kind; readonly range: Range };
}[K];
export type Node = NodeOf<NodeKind>;

/** The binary operators by precedence, from the lowest to the highest. */
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
