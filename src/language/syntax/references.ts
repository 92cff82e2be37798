import type { Expression, Node, NodeKind, NodeOf, Traversal } from "./syntax";

/** The functions that return the child nodes of a node, by the kind of the node. Kinds without children are missing. */
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

/** Returns the child nodes of a node, in source order. */
export function children(node: Node): readonly Node[] {
  const of = CHILDREN[node.kind] as ((node: Node) => readonly (Node | undefined)[]) | undefined;
  return of?.(node).filter((one) => one !== undefined) ?? [];
}

/** Returns whether an expression consists only of constants. */
export const isConstant = (expression: Expression): boolean =>
  expression.constant !== undefined || isConstantNode(expression.root);

const isConstantNode = (node: Node): boolean =>
  node.kind === "literal" || (CONSTRUCTORS.has(node.kind) && children(node).every(isConstantNode));

const CONSTRUCTORS: ReadonlySet<NodeKind> = new Set(["tuple", "object", "embedded"]);

/**
 * Returns all references in an expression, in source order. If a name is used twice, the result contains two references.
 * References to variables of a `for` are left out.
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

type DeclarationKind =
  | "variable"
  | "local"
  | "resource"
  | "data"
  | "repetition"
  | "path"
  | "terraform"
  | "incomplete";

/**
 * The declaration that a traversal names: its kind, its address, and the number of traversal steps that belong to the address.
 */
export interface ReferencedDeclaration {
  /**
   * The address of the declaration, such as `var.region`, `local.teams`, `acme_thing.web`, `data.acme_thing.web`, `each.key` or
   * `self`.
   */
  readonly address: string;
  readonly steps: number;
  readonly kind: DeclarationKind;
}

const ROOTS: Readonly<Record<string, DeclarationKind>> = {
  var: "variable",
  local: "local",
  each: "repetition",
  count: "repetition",
  path: "path",
  terraform: "terraform",
};

/**
 * Returns the declaration that a traversal names. The result depends only on the syntax, so the declaration does not have to
 * exist.
 */
export function referencedDeclaration({ root, steps }: Traversal): ReferencedDeclaration {
  const name = (index: number): string | undefined => {
    const step = steps[index];
    return step !== undefined && "attribute" in step ? step.attribute : undefined;
  };
  if (root === "self") return { kind: "repetition", address: "self", steps: 0 };
  const known = ROOTS[root];
  if (known !== undefined) return subject(known, [root, name(0)]);
  // `resource.TYPE.NAME` is the long form of `TYPE.NAME`.
  if (root === "resource" && name(1) !== undefined)
    return { kind: "resource", address: `${name(0)}.${name(1)}`, steps: 2 };
  return root === "data" ? subject("data", [root, name(0), name(1)]) : subject("resource", [root, name(0)]);
}

function subject(kind: DeclarationKind, names: readonly (string | undefined)[]): ReferencedDeclaration {
  const given = names.filter((name) => name !== undefined);
  return given.length < names.length
    ? { kind: "incomplete", address: given.join("."), steps: given.length - 1 }
    : { kind, address: given.join("."), steps: names.length - 1 };
}
