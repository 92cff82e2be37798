// This module changes sources so that they count their work. Each function, loop and branch counts how often it runs. A
// call that copies or searches a whole list inside of V8 (`includes`, a spread, `new Set(list)`) counts the elements of
// the list. Each statement keeps its line number.
const { parse } = require("@babel/parser");

/** The methods of lists that visit all elements without a callback that could count them. */
const OF_LISTS = new Set([
  ...["includes", "indexOf", "lastIndexOf", "slice", "concat", "join", "splice", "shift", "unshift"],
  ...["reverse", "fill", "flat", "copyWithin", "toReversed", "toSpliced", "with"],
]);
/**
 * The methods of texts that read or write a whole text. `slice` and concatenation are not among these methods, because
 * V8 cuts and joins texts without a copy.
 */
const OF_TEXTS = new Set([
  "split",
  "replace",
  "replaceAll",
  "toLowerCase",
  "toUpperCase",
  "normalize",
  "repeat",
]);
/** The functions that visit all elements of their arguments. */
const WALKS = new Set([
  ...["Object.keys", "Object.values", "Object.entries", "Object.assign", "Object.fromEntries", "Array.from"],
  ...["Buffer.concat", "structuredClone"],
]);
const COLLECTIONS = new Set(["Map", "Set"]);
const LOOPS = /^(For|ForOf|ForIn|While|DoWhile)Statement$/;
/** The number of characters of a text that count as one element. */
const CHARACTERS = 32;

/**
 * The names of all places, such as `src/engine/plan.ts:12 planOf`. `counts` has the counts of these places in the same
 * order.
 */
const places = [];
const counts = [];
globalThis.__work = counts;

/** Returns a source with counters. `file` is the name of the source in reports. */
function instrumented(text, file) {
  const edits = [];
  const names = [];
  const insert = (at, added) => edits.push({ at, added, order: edits.length });
  const place = (node, what) => {
    counts.push(0);
    return places.push(`${file}:${node.loc.start.line} ${what}`) - 1;
  };
  const wrap = (node, what) => {
    insert(node.start, `__elements(${place(node, what)},`);
    insert(node.end, ")");
  };

  /** Adds a counter to a body: to a block, another statement, or the expression of an arrow function. */
  function countBody(body, what) {
    const counter = `__work[${place(body, what)}]++`;
    if (body.type === "BlockStatement") return insert(body.start + 1, `${counter};`);
    const [open, close] = body.type.endsWith("Statement") ? [`{${counter};`, "}"] : [`(${counter},`, ")"];
    insert(body.start, open);
    insert(body.end, close);
  }

  function visit(node, name) {
    const isFunction = node.body !== undefined && /Function|Method/.test(node.type);
    if (isFunction) names.push(node.id?.name ?? keyOf(node) ?? name ?? "(anonymous)");
    const inside = names.at(-1) ?? "(module)";
    if (isFunction) countBody(node.body, inside);
    else if (LOOPS.test(node.type)) countBody(node.body, `loop in ${inside}`);
    else if (node.type === "IfStatement")
      for (const branch of [node.consequent, node.alternate])
        branch && branch.type !== "IfStatement" && countBody(branch, `branch in ${inside}`);
    else countElements(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === "loc" || key === "extra" || key.endsWith("omments")) continue;
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === "string") visit(child, nameInside(node));
    }
    if (isFunction) names.pop();
  }

  function countElements(node) {
    if (node.type === "SpreadElement") wrap(node.argument, "...");
    else if (node.type === "VariableDeclarator" && node.init && hasRest(node.id)) wrap(node.init, "...rest");
    else if (node.type === "NewExpression" && COLLECTIONS.has(node.callee.name))
      wrapAll(node.arguments.slice(0, 1), `new ${node.callee.name}`);
    else if (node.type === "CallExpression" || node.type === "OptionalCallExpression") countCall(node);
  }

  function wrapAll(nodes, what) {
    for (const node of nodes) if (node.type !== "SpreadElement") wrap(node, what);
  }

  function countCall({ callee, arguments: given }) {
    const { object, property, computed, optional } = callee;
    if (object === undefined || computed) return;
    const called = `${object.name}.${property.name}`;
    if (WALKS.has(called)) return wrapAll(given, called);
    if (object.type === "Super" || !(OF_LISTS.has(property.name) || OF_TEXTS.has(property.name))) return;
    wrap(object, `.${property.name}`);
    // An earlier `?.` can end the whole chain. The added call ends the chain before this property, so the property gets
    // its own `?.`.
    if (callee.type === "OptionalMemberExpression" && !optional)
      insert(text.lastIndexOf(".", property.start), "?");
  }

  visit(parse(text, { sourceType: "module", plugins: ["typescript"] }).program);
  // If several edits begin at the same position, the outer edit comes first.
  edits.sort((one, other) => one.at - other.at || one.order - other.order);
  let done = 0;
  const parts = edits.map(({ at, added }) => {
    const part = text.slice(done, at) + added;
    done = at;
    return part;
  });
  return parts.join("") + text.slice(done);
}

const keyOf = ({ key }) => key?.name ?? key?.id?.name;

/** Returns a name for an anonymous function, from the code around it. */
function nameInside(node) {
  if (node.type === "VariableDeclarator") return node.id.name;
  const isSort = node.type === "CallExpression" && /^(sort|toSorted)$/.test(node.callee.property?.name);
  return isSort ? "compare" : keyOf(node);
}

const hasRest = (pattern) =>
  pattern.type === "ArrayPattern"
    ? pattern.elements.some((element) => element?.type === "RestElement")
    : pattern.type === "ObjectPattern" && pattern.properties.some(({ type }) => type === "RestElement");

/** Counts the elements of a value that is about to be copied, searched or walked. Returns the value. */
globalThis.__elements = (place, value) => {
  if (typeof value?.next === "function" && typeof value[Symbol.iterator] === "function")
    return walked(place, value);
  counts[place] += sizeOf(value);
  return value;
};

function sizeOf(value) {
  if (typeof value === "string") return Math.ceil(value.length / CHARACTERS);
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  if (ArrayBuffer.isView(value)) return Math.ceil(value.byteLength / CHARACTERS);
  return value instanceof Set || value instanceof Map ? value.size : Object.keys(value).length;
}

/**
 * Counts the elements of an iterator while they are read. An iterator, such as the keys of a map, can be read only
 * once.
 */
function* walked(place, values) {
  for (const value of values) {
    counts[place]++;
    yield value;
  }
}

/** Returns the counts since the last call, by place. */
function takeWork() {
  const taken = new Map();
  for (const [index, count] of counts.entries()) if (count > 0) taken.set(places[index], count);
  counts.fill(0);
  return taken;
}

module.exports = { instrumented, takeWork };
