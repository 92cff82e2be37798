import type { Expression, Node, Traversal } from "./syntax";

/** The child nodes of a node. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case "relative":
      return [node.source];
    case "index":
      return [node.collection, node.key];
    case "splat":
      return [node.source, node.each];
    case "template":
      return node.parts;
    case "join":
      return [node.parts];
    case "group":
      return [node.inner];
    case "conditional":
      return [node.condition, node.whenTrue, node.whenFalse];
    case "binary":
      return [node.left, node.right];
    case "unary":
      return [node.operand];
    case "call":
      return node.args;
    case "tuple":
      return node.elements;
    case "object":
      return node.items.flatMap(({ key, value }) => [key, value]);
    case "for":
      return [node.collection, node.key, node.value, node.condition].filter((one) => one !== undefined);
    case "embedded":
      return [node.expression.root];
    default:
      return [];
  }
}

/** Whether an expression is constant: nothing in it is computed. */
export const isConstant = (expression: Expression): boolean =>
  expression.constant !== undefined || isConstantNode(expression.root);

const isConstantNode = (node: Node): boolean =>
  node.kind === "literal" || (CONSTRUCTORS.has(node.kind) && children(node).every(isConstantNode));

const CONSTRUCTORS: ReadonlySet<Node["kind"]> = new Set(["tuple", "object", "embedded"]);

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
