import {
  descendants,
  keyOfProperty,
  nameOf,
  nodeOf,
  nodesOf,
  optionOf,
  type SyntaxNode,
} from "../typescript/source-tree";
import { type Left, literalOf } from "./literals";

/** A loop over a table whose rows are literals in the source. */
export interface TableLoop {
  /** The pattern on the left side that receives a row, such as `[path, layers]`. */
  readonly pattern: SyntaxNode;
  readonly rows: readonly SyntaxNode[];
  /** The parts of the table that are not literals, such as `...others`. */
  readonly spreads: readonly string[];
}

/** The values of a row, by the names of the loop's variables. */
export type RowValues = ReadonlyMap<string, SyntaxNode>;

const LOOP = /^(?:For|ForOf|ForIn|While|DoWhile)Statement$/;
const FUNCTION = /Function(?:Expression|Declaration)$|Method$/;

/** Returns true for code that can run several times. */
export const isRepeating = (node: SyntaxNode): boolean =>
  LOOP.test(node.type) || (FUNCTION.test(node.type) && node["kind"] !== "constructor");

/**
 * Returns the table whose rows a loop uses: `for (const … of TABLE)`, `TABLE.forEach(…)` or `TABLE.map(…)`. The construct is
 * inside this loop.
 *
 * @param ancestors the nodes around the construct, the innermost first
 * @returns the reason if there is no such table, as the end of a sentence about the construct
 */
export function tableLoop(
  program: SyntaxNode,
  ancestors: readonly SyntaxNode[],
  textOf: (node: SyntaxNode) => string,
): TableLoop | Left {
  const at = ancestors.findIndex(isRepeating);
  const loop = ancestors[at]!;
  const kind = LOOP.test(loop.type) ? "loop" : "function";
  if (ancestors.slice(at + 1).some(isRepeating)) return `it is in a ${kind}`;
  const [pattern, over] =
    loop.type === "ForOfStatement"
      ? [nodeOf(nodesOf(nodeOf(loop, "left")!, "declarations")[0], "id"), nodeOf(loop, "right")]
      : partsOfCallback(loop, ancestors[at + 1]);
  if (pattern === undefined || over === undefined) return `it is in a ${kind}`;
  const table = tableOf(program, over);
  if (table === undefined)
    return over.type === "CallExpression"
      ? `it is in a loop over the result of ${textOf(nodeOf(over, "callee")!)}(…)`
      : "it is in a loop";
  const rows = table.filter(({ type }) => type !== "SpreadElement");
  const spreads = table.filter((one) => !rows.includes(one)).map(textOf);
  return { pattern, rows, spreads };
}

/** Returns the first parameter of a callback, and the table whose `forEach` or `map` calls the callback. */
function partsOfCallback(loop: SyntaxNode, call: SyntaxNode | undefined) {
  const callee = call?.type === "CallExpression" ? nodeOf(call, "callee") : undefined;
  const isOverTable =
    callee?.type === "MemberExpression" && ["forEach", "map"].includes(nameOf(callee) ?? "");
  if (!isOverTable || nodesOf(call!, "arguments")[0] !== loop) return [undefined, undefined];
  return [nodesOf(loop, "params")[0], nodeOf(callee, "object")];
}

/** Returns the rows and spreads of a table. Undefined if the table is not a literal in the source. */
function tableOf(program: SyntaxNode, written: SyntaxNode): readonly SyntaxNode[] | undefined {
  const node = unwrapped(program, written);
  if (node?.type === "ArrayExpression") return nodesOf(node, "elements");
  if (node?.type !== "CallExpression") return undefined;
  const callee = nodeOf(node, "callee");
  const argument = nodesOf(node, "arguments")[0];
  const object = argument && unwrapped(program, argument);
  const isOfObject = nameOf(nodeOf(callee, "object")) === "Object" && object?.type === "ObjectExpression";
  if (!isOfObject) return undefined;
  const properties = nodesOf(object, "properties");
  if (nameOf(callee) === "entries") return properties.map(pairOf);
  return nameOf(callee) === "values" ? properties.map((one) => nodeOf(one, "value") ?? one) : undefined;
}

/** Converts a property of an object to a list of its key and its value. A spread stays unchanged. */
function pairOf(property: SyntaxNode): SyntaxNode {
  const [key, value] = [keyOfProperty(property), nodeOf(property, "value")];
  if (key === undefined || value === undefined) return property;
  const { start, end } = nodeOf(property, "key")!;
  return {
    ...property,
    type: "ArrayExpression",
    elements: [{ type: "StringLiteral", start, end, value: key }, value],
  };
}

/** Returns the value of a constant or expression, without type assertions. */
function unwrapped(program: SyntaxNode, node: SyntaxNode): SyntaxNode | undefined {
  if (/^TS(?:As|Satisfies)Expression$/.test(node.type))
    return unwrapped(program, nodeOf(node, "expression")!);
  if (node.type !== "Identifier") return node;
  const name = nameOf(node);
  const [only, another] = [...descendants(program)].filter(
    (one) => one.type === "VariableDeclarator" && nameOf(nodeOf(one, "id")) === name,
  );
  const value = another === undefined ? nodeOf(only, "init") : undefined;
  return value === undefined || value.type === "Identifier" ? undefined : unwrapped(program, value);
}

/** Returns the values that a row assigns to the variables of its loop. */
export function valuesOfRow(pattern: SyntaxNode, row: SyntaxNode | undefined): RowValues {
  if (row === undefined) return new Map();
  const all = (parts: readonly RowValues[]): RowValues => new Map(parts.flatMap((part) => [...part]));
  switch (pattern.type) {
    case "Identifier":
      return new Map([[nameOf(pattern)!, row]]);
    case "AssignmentPattern":
      return valuesOfRow(nodeOf(pattern, "left")!, row);
    case "ArrayPattern": {
      const items = row.type === "ArrayExpression" ? (row["elements"] as readonly SyntaxNode[]) : [];
      const parts = pattern["elements"] as readonly (SyntaxNode | null)[];
      return all(parts.map((part, at) => (part === null ? new Map() : valuesOfRow(part, items[at]))));
    }
    case "ObjectPattern":
      return all(
        nodesOf(pattern, "properties").map((part) =>
          valuesOfRow(nodeOf(part, "value") ?? part, optionOf(row, keyOfProperty(part) ?? "")),
        ),
      );
    default:
      return new Map();
  }
}

/**
 * Returns the node to which an expression refers in a row of the table. If the expression does not use a variable of the loop,
 * the result is the expression itself.
 */
export function resolvedIn(values: RowValues, node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node?.type === "Identifier") return values.get(nameOf(node)!) ?? node;
  if (node?.type !== "MemberExpression" || node["computed"] === true) return node;
  const object = resolvedIn(values, nodeOf(node, "object"));
  return object?.type === "ObjectExpression" ? optionOf(object, nameOf(node)!) : node;
}

/**
 * Returns the text that an expression has in a row of the table; undefined if the source does not contain this text as a literal.
 */
export function textIn(values: RowValues, node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== "TemplateLiteral") {
    const scalar = literalOf(resolvedIn(values, node))?.scalar;
    return typeof scalar === "string" ? scalar : undefined;
  }
  const texts = nodesOf(node, "expressions").map((one) => textIn(values, one));
  if (texts.includes(undefined)) return undefined;
  const quasis = nodesOf(node, "quasis").map(
    (one) => (one["value"] as { readonly cooked?: string }).cooked ?? "",
  );
  return quasis.map((quasi, at) => `${quasi}${texts[at] ?? ""}`).join("");
}
