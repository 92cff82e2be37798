import type { AttributePath } from "../../diagnostics";
import type { JsonNumber } from "../../json";
import type { Value } from "../values";
import { ExpressionError } from "./errors";
import type { Expression, Node, Range, Traversal } from "./syntax";
import { children } from "./walk";

/**
 * cdktf encodes numbers that are not known yet as doubles near -1.8e+289. If one is converted to text before
 * it is resolved, the text contains meaningless digits.
 */
const NUMBER_TOKEN = /-?\d(?:\.\d+)?e\+(?:2[89]\d|30\d)(?!\d)/;

/** An encoded cdktf number token within a text, with its range. */
function findNumberToken(text: string): { readonly token: string; readonly range: Range } | undefined {
  const match = NUMBER_TOKEN.exec(text);
  return match === null
    ? undefined
    : { token: match[0], range: { start: match.index, end: match.index + match[0].length } };
}

/** Whether a text may contain what `checkTokens` refuses. */
export const canHaveToken = (text: string): boolean => NUMBER_TOKEN.test(text) || text.includes("undefined");

/** Detects cdktf tokens that a program mixed up. @throws ExpressionError */
export function checkTokens(expression: Expression): void {
  if (!canHaveToken(expression.source)) return;
  checkNode(expression.root, expression.source);
}

function checkNode(node: Node, source: string): void {
  if (node.kind === "literal") checkLiteral(node.value, source, node.range);
  if (node.kind === "reference") checkReference(node.traversal, source);
  for (const child of children(node)) checkNode(child, source);
}

function checkLiteral(value: Value, source: string, range: Range): void {
  const found = value.type.kind === "string" && value.isKnown ? findNumberToken(value.text) : undefined;
  if (found !== undefined) throw numberTokenError(found.token, findNumberToken(source)?.range ?? range);
  if (value.type.kind !== "number") return;
  const written = source.slice(range.start, range.end);
  if (findNumberToken(written) !== undefined) throw numberTokenError(written, range);
}

/** The same for a number of the JSON configuration. @throws ExpressionError */
export function checkNumberToken(json: number | JsonNumber, path: AttributePath): void {
  const text = String(json);
  const found = findNumberToken(text);
  if (found !== undefined) throw numberTokenError(found.token, found.range).at(path);
}

const numberTokenError = (token: string, range: Range): ExpressionError =>
  new ExpressionError(
    "Number token within a text",
    `"${token}" is cdktf's token for a number that is known later, but it was mixed with text ` +
      "or arithmetic before cdktf could resolve it. Use Token.asString(...) or Fn.tostring(...) " +
      "for the number in a text, and Op or Fn for arithmetic.",
    range,
  );

function checkReference({ root, steps, range }: Traversal, source: string): void {
  const isNamed = steps.some((step) => "attribute" in step && step.attribute === "undefined");
  if (root !== "undefined" && !isNamed) return;
  throw new ExpressionError(
    "Undefined value in an expression",
    `"${source.slice(range.start, range.end)}" comes from a JavaScript value that was undefined ` +
      "when the expression was built. Set the value in the program, or omit the attribute.",
    range,
  );
}
