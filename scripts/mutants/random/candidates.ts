import { parse } from "@babel/parser";

/** A possible mutant: the text of a source from `start` to `end` becomes `to`. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly to: string;
  readonly kind: Kind;
}

export type Kind = "negated condition" | "swapped operator" | "dropped statement" | "changed constant";

/** A node of Babel's syntax tree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [name: string]: unknown;
}

const SWAPPED: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "+=": "-=",
  "-=": "+=",
  "++": "--",
  "--": "++",
};

const WITH_CONDITION = /^(IfStatement|ConditionalExpression|WhileStatement|DoWhileStatement|ForStatement)$/;
const DROPPED = /^(ExpressionStatement|ThrowStatement|BreakStatement|ContinueStatement|ReturnStatement)$/;
/**
 * TypeScript nodes that contain expressions. All other TypeScript nodes contain only types, and tests cannot notice
 * changes of types.
 */
const HOLDS_VALUES = /^TS(As|Satisfies|NonNull|TypeAssertion|Instantiation)Expression$|^TSExportAssignment$/;

/** Returns all candidates of a source, in the order of their places. Equal sources always have equal candidates. */
export function candidatesOf(text: string): Candidate[] {
  const found: Candidate[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one);
      return;
    }
    if (!isNode(node) || isOnlyType(node)) return;
    found.push(...candidatesAt(text, node));
    for (const [name, child] of Object.entries(node)) {
      if (name !== "loc" && name !== "extra" && !isName(node, name)) visit(child);
    }
  };
  visit(parse(text, { sourceType: "module", plugins: ["typescript"] }).program.body);
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const isOnlyType = ({ type, declare }: Node): boolean =>
  type === "ImportDeclaration" || declare === true || (type.startsWith("TS") && !HOLDS_VALUES.test(type));

/** Returns true if a child node is only a name: the key of an object or class, or the path of a module. */
const isName = (node: Node, child: string): boolean =>
  (child === "key" && node["computed"] !== true) || (child === "source" && node.type.startsWith("Export"));

function candidatesAt(text: string, node: Node): Candidate[] {
  const all = [negated(text, node), swapped(text, node), dropped(text, node), changed(node)];
  return all.filter((candidate) => candidate !== undefined);
}

/**
 * Returns a candidate that negates a condition. If the condition is already a negation, the candidate removes the
 * negation.
 */
function negated(text: string, node: Node): Candidate | undefined {
  if (!WITH_CONDITION.test(node.type) || !isNode(node["test"])) return undefined;
  const { type, start, end, operator, argument } = node["test"];
  const isNegation = type === "UnaryExpression" && operator === "!" && isNode(argument);
  const to = isNegation ? text.slice(argument.start, argument.end) : `!(${text.slice(start, end)})`;
  return { start, end, to, kind: "negated condition" };
}

function swapped(text: string, node: Node): Candidate | undefined {
  const to = SWAPPED[String(node["operator"])];
  if (to === undefined || node.type === "UnaryExpression") return undefined;
  const operator = String(node["operator"]);
  const place = operatorPlace(text, node, operator);
  if (place === undefined) return undefined;
  return { start: place, end: place + operator.length, to, kind: "swapped operator" };
}

/** Returns the place of an operator: between two operands, or before or after its only operand. */
function operatorPlace(text: string, node: Node, operator: string): number | undefined {
  const { left, right, argument, prefix } = node;
  if (isNode(left) && isNode(right)) {
    const between = text.slice(left.end, right.start);
    const at = between.lastIndexOf(operator);
    return at < 0 ? undefined : left.end + at;
  }
  if (!isNode(argument)) return undefined;
  return prefix === true ? node.start : node.end - operator.length;
}

function dropped(text: string, node: Node): Candidate | undefined {
  if (!DROPPED.test(node.type)) return undefined;
  const { start, end } = node;
  // An empty block replaces the statement, because the compiler rejects `if (a) ;`. The block has as many lines as the
  // statement, so that positions in stack traces stay correct.
  const to = `{${text.slice(start, end).replace(/[^\n]/g, "")}}`;
  return { start, end, to, kind: "dropped statement" };
}

function changed({ type, start, end, value }: Node): Candidate | undefined {
  const kind = "changed constant";
  if (type === "BooleanLiteral") return { start, end, to: String(value !== true), kind };
  if (type === "NumericLiteral") return { start, end, to: String((value as number) + 1), kind };
  if (type !== "StringLiteral") return undefined;
  return { start, end, to: value === "" ? '"mutant"' : '""', kind };
}
