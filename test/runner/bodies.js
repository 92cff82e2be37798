const { parse } = require("@babel/parser");

const FUNCTION = /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/;
const LOOP = /^(For|ForOf|ForIn|While|DoWhile)Statement$/;

/**
 * Returns the parts of a source ("bodies") that run only under a condition, each with its position in the text. These are the
 * bodies of functions and loops, branches, cases, and the right sides of `&&`, `||` and `??`. The `kind` of a body is a
 * block, another statement, the statements of a case, or an expression.
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

/** Returns the end of a node, including a parenthesis around it. */
function endOf(text, end, node) {
  if (node?.extra?.parenthesized !== true) return end;
  return text.indexOf(")", end) + 1;
}

module.exports = { bodiesOf };
