const { parse } = require("@babel/parser");

const FUNCTION = /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/;
const LOOP = /^(For|ForOf|ForIn|While|DoWhile)Statement$/;

/**
 * The parts of a source that may run or not, each with its place in the text. These are bodies of functions and loops, branches, cases,
 * and the right side of `&&`, `||` and `??`. Its `kind` is a block, another statement, the statements of a case, or an expression.
 */
function bodiesOf(text) {
  const found = [];
  const add = (node) => {
    if (node === null || node === undefined) return;
    const other = node.type.endsWith("Statement") ? "statement" : "expression";
    const kind = node.type === "BlockStatement" ? "block" : other;
    const { parenthesized, parenStart } = node.extra ?? {};
    found.push({ start: parenthesized ? parenStart : node.start, end: node.end, kind, node });
  };
  const visit = (node) => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one);
      return;
    }
    if (typeof node?.type !== "string") return;
    if (FUNCTION.test(node.type) || LOOP.test(node.type)) add(node.body);
    if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
      add(node.consequent);
      add(node.alternate);
    }
    if (node.type === "SwitchCase" && node.consequent.length > 0)
      found.push({ start: node.consequent[0].start, end: node.end, kind: "case" });
    if (node.type === "LogicalExpression") add(node.right);
    for (const [name, child] of Object.entries(node)) if (name !== "loc" && name !== "extra") visit(child);
  };
  visit(parse(text, { sourceType: "module", plugins: ["typescript"] }).program);
  return found.map(({ start, end, kind, node }) => ({ start, end: endOf(text, end, node), kind }));
}

/** The end of a node with the parenthesis around it. */
function endOf(text, end, node) {
  if (node?.extra?.parenthesized !== true) return end;
  return text.indexOf(")", end) + 1;
}

module.exports = { bodiesOf };
