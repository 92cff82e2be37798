import { fail } from "../../diagnostics";

/** A node of a parsed source. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

/**
 * Returns the syntax tree of TypeScript or JavaScript.
 *
 * @throws DiagnosticError with the parser's message if the source is in another language
 */
export function parseSource(text: string, file: string): SyntaxNode {
  // The parser is loaded only when a source is parsed, because most commands never need it.
  const { parse }: typeof import("@babel/parser") = require("@babel/parser");
  try {
    return parse(text, {
      sourceType: "module",
      plugins: ["typescript", ...(/\.[jt]sx$/.test(file) ? (["jsx"] as const) : []), "decorators"],
    }).program as unknown as SyntaxNode;
  } catch (problem) {
    return fail({
      code: "adoption_source_invalid",
      summary: "App can't be parsed",
      detail: `${file} is not valid TypeScript or JavaScript: ${(problem as Error).message}. Nothing was written. Correct the file.`,
    });
  }
}

/** Returns the syntax tree of a text that contains one expression. */
export function parseExpression(text: string): SyntaxNode {
  const parser: typeof import("@babel/parser") = require("@babel/parser");
  return parser.parseExpression(text) as unknown as SyntaxNode;
}

/** Returns the nodes directly below a node. */
export const childrenOf = (node: SyntaxNode): SyntaxNode[] =>
  Object.values(node).flatMap((value): SyntaxNode[] => {
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });

/** Yields a node and all nodes below it, in the order of the source. */
export function* descendants(node: SyntaxNode): Generator<SyntaxNode> {
  // This list of open nodes replaces recursion, because deep recursion would overflow the call stack.
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    open.push(...childrenOf(next).reverse());
  }
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as SyntaxNode).type === "string" &&
  "start" in value;

/** Returns the nodes in a property whose value is a list. Returns an empty list for any other property. */
export const nodesOf = (node: SyntaxNode, property: string): SyntaxNode[] => {
  const value = node[property];
  return Array.isArray(value) ? value.filter(isNode) : [];
};

/** Returns the node in a property; undefined if the property contains no node. */
export const nodeOf = (node: SyntaxNode | undefined, property: string): SyntaxNode | undefined => {
  const value = node?.[property];
  return isNode(value) ? value : undefined;
};

/** Returns the arguments of a `new` expression of a class; undefined for any other node. */
export const newArguments = (node: SyntaxNode | undefined, className?: string): SyntaxNode[] | undefined =>
  node?.type === "NewExpression" && (className === undefined || nameOf(nodeOf(node, "callee")) === className)
    ? nodesOf(node, "arguments")
    : undefined;

/** Returns the name of an identifier, or the last name of a member expression, such as `App` of `cdktf.App`. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === "Identifier") return String(node["name"]);
  return node?.type === "MemberExpression" ? nameOf(nodeOf(node, "property")) : undefined;
}

/** Returns the name of a property; undefined if the name is computed. */
export function keyOfProperty(property: SyntaxNode): string | undefined {
  if (property.type !== "ObjectProperty" || property["computed"] === true) return undefined;
  const key = nodeOf(property, "key");
  return key?.type === "Identifier" ? String(key["name"]) : String(key?.["value"]);
}

/** Returns the last property with a name; undefined if a later spread can override this property. */
export function propertyOf(node: SyntaxNode | undefined, key: string): SyntaxNode | undefined {
  const properties = node?.type === "ObjectExpression" ? nodesOf(node, "properties") : [];
  const at = properties.findLastIndex((one) => keyOfProperty(one) === key);
  return properties.slice(at + 1).some(({ type }) => type === "SpreadElement") ? undefined : properties[at];
}

/** Returns the value of the property with this name. */
export const optionOf = (node: SyntaxNode | undefined, key: string): SyntaxNode | undefined =>
  nodeOf(propertyOf(node, key), "value");
