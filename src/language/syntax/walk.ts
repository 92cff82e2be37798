import type { Expression, Node, NodeKind, NodeOf, Traversal } from "./syntax";

/** The child nodes of each kind that has any, in source order. */
const CHILDREN: { readonly [K in NodeKind]?: (node: NodeOf<K>) => readonly (Node | undefined)[] } = {
  relative: ({ source }) => [source],
  index: ({ collection, key }) => [collection, key],
  splat: ({ source, each }) => [source, each],
  template: ({ parts }) => parts,
  join: ({ parts }) => [parts],
  group: ({ inner }) => [inner],
  conditional: ({ condition, whenTrue, whenFalse }) => [condition, whenTrue, whenFalse],
  binary: ({ left, right }) => [left, right],
  unary: ({ operand }) => [operand],
  call: ({ args }) => args,
  tuple: ({ elements }) => elements,
  object: ({ items }) => items.flatMap(({ key, value }) => [key, value]),
  for: ({ collection, key, value, condition }) => [collection, key, value, condition],
  embedded: ({ expression }) => [expression.root],
};

/** The child nodes of a node. */
export function children(node: Node): readonly Node[] {
  const of = CHILDREN[node.kind] as ((node: Node) => readonly (Node | undefined)[]) | undefined;
  return of?.(node).filter((one) => one !== undefined) ?? [];
}

/** Whether an expression is constant: nothing in it is computed. */
export const isConstant = (expression: Expression): boolean =>
  expression.constant !== undefined || isConstantNode(expression.root);

const isConstantNode = (node: Node): boolean =>
  node.kind === "literal" || (CONSTRUCTORS.has(node.kind) && children(node).every(isConstantNode));

const CONSTRUCTORS: ReadonlySet<NodeKind> = new Set(["tuple", "object", "embedded"]);

/**
 * All references of an expression to outer names, in source order with repetitions; without the variables of
 * a `for`.
 */
export function references(expression: Expression): readonly Traversal[] {
  if (expression.constant !== undefined) return NONE;
  const found: Traversal[] = [];
  collect(expression.root, new Set(), found);
  return found;
}

const NONE: readonly Traversal[] = [];

function collect(node: Node, local: ReadonlySet<string>, found: Traversal[]): void {
  if (node.kind === "reference" && !local.has(node.traversal.root)) found.push(node.traversal);
  if (node.kind !== "for") {
    for (const child of children(node)) collect(child, local, found);
    return;
  }
  collect(node.collection, local, found);
  const inner = new Set(local).add(node.valueName);
  if (node.keyName !== undefined) inner.add(node.keyName);
  for (const part of [node.key, node.value, node.condition])
    if (part !== undefined) collect(part, inner, found);
}
