// Runs a command with a probe in every function of the compiled modules: `node probe.js MARK OUTPUT ARGUMENT...`. A
// file counts if one of its functions receives the marked text, or an object that contains it. The names of these files
// are written to OUTPUT.
const { writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { parse } = require("@babel/parser");

const DIST = path.join(__dirname, "..", "..", "dist");
/** The maximum number of values that a probe reads at one call. */
const MOST_VALUES = 20_000;
const [mark, output, ...words] = process.argv.slice(2);

const WITH_ARGUMENTS =
  /^(FunctionDeclaration|FunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/;

/** @type {Set<string>} */
const onWalk = new Set();

/** Returns true if a value is the marked text or contains it. The function calls no getter. */
function hasMark(value) {
  const seen = new Set();
  const open = [value];
  for (let count = 0; open.length > 0 && count < MOST_VALUES; count += 1) {
    const one = open.pop();
    if (typeof one === "string") {
      if (one.includes(mark)) return true;
    } else if (one instanceof Uint8Array) {
      if (Buffer.from(one.buffer, one.byteOffset, one.byteLength).includes(mark)) return true;
    } else if (typeof one === "object" && one !== null && !seen.has(one)) {
      seen.add(one);
      if (one instanceof Map) for (const [key, item] of one) open.push(key, item);
      else if (one instanceof Set) open.push(...one);
      else
        for (const { value: item } of Object.values(Object.getOwnPropertyDescriptors(one)))
          if (item !== undefined) open.push(item);
    }
  }
  return false;
}

global.__stewardWalk = (file, values) => {
  if (!onWalk.has(file) && hasMark(values)) onWalk.add(file);
};

/** Returns the names that the parameters of an arrow function define. */
function boundIn(node) {
  switch (node?.type) {
    case "Identifier":
      return [node.name];
    case "AssignmentPattern":
      return boundIn(node.left);
    case "RestElement":
      return boundIn(node.argument);
    case "ArrayPattern":
      return node.elements.flatMap(boundIn);
    case "ObjectPattern":
      return node.properties.flatMap((one) => boundIn(one.type === "RestElement" ? one : one.value));
    default:
      return [];
  }
}

function withProbes(text, file) {
  const insertions = [];
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null || typeof node.type !== "string") return;
    const isArrow = node.type === "ArrowFunctionExpression";
    if ((isArrow || WITH_ARGUMENTS.test(node.type)) && node.params.length > 0) {
      const values = isArrow ? `[${node.params.flatMap(boundIn).join(", ")}]` : "arguments";
      const call = `__stewardWalk(${JSON.stringify(file)}, ${values})`;
      const { type, start, end, directives = [] } = node.body;
      if (type === "BlockStatement")
        insertions.push([directives.length > 0 ? directives.at(-1).end : start + 1, `;${call};`]);
      else insertions.push([start, `(${call}, `], [end, ")"]);
    }
    for (const [name, child] of Object.entries(node)) if (name !== "loc" && name !== "extra") visit(child);
  };
  visit(parse(text, { sourceType: "script", errorRecovery: true }).program);
  // At the same place, the end of an inner expression comes before the start of the next expression.
  insertions.sort(
    ([one, first], [other, second]) => one - other || Number(second === ")") - Number(first === ")"),
  );
  let at = 0;
  let result = "";
  for (const [place, inserted] of insertions) {
    result += text.slice(at, place) + inserted;
    at = place;
  }
  return result + text.slice(at);
}

const compile = Module.prototype._compile;
Module.prototype._compile = function (text, filename, ...rest) {
  const file = path.relative(DIST, filename).replaceAll(path.sep, "/");
  const isOurs = !file.startsWith("..") && !/^(bundle|service|constructs|simulator)\//.test(file);
  return compile.call(this, isOurs ? withProbes(text, file.replace(/\.js$/, "")) : text, filename, ...rest);
};

const { main } = require(path.join(DIST, "cli", "program.js"));
main(words).then((code) => {
  process.exitCode = code;
  writeFileSync(output, JSON.stringify([...onWalk].sort()));
});
