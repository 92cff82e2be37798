import {
  type Code,
  type Entry,
  type ListCode,
  type ObjectCode,
  stringLiteral,
  templateText,
  widthOf,
} from "./code";

/** The maximum nesting of objects on one line. */
const DEEPEST = 3;

/** The maximum width of a line. */
export const WIDTH = 110;

/** The position at which a value begins, and the text after it. */
interface PrintPosition {
  /** The indentation of the line on which the value begins. */
  readonly indent: number;
  /** The number of columns before the value on its line. */
  readonly column: number;
  /** The number of columns after the value on its last line, such as 1 for a comma. */
  readonly after: number;
}

/** Prints code in the format of common formatters, so that a formatter changes nothing. */
export const print = (code: Code, place: PrintPosition): string => {
  const line = inline(code);
  if (line !== undefined && canFit(line, place)) return line;
  if (code.kind === "list") return printList(code, place.indent);
  return code.kind === "object" ? printObject(code, place.indent) : (line ?? "");
};

const canFit = (line: string, { column, after }: PrintPosition): boolean =>
  column + widthOf(line) + after <= WIDTH;

/** Prints code on one line. Returns undefined if formatters print this code on several lines. */
function inline(code: Code): string | undefined {
  switch (code.kind) {
    case "expression":
      return code.text;
    case "text":
      return stringLiteral(code.text);
    case "own-path":
      return code.rest === "" ? "project" : `\`\${project}${templateText(code.rest)}\``;
    case "list":
      return isMultiline(code) ? undefined : joined("[", code.items.map(inline), "]");
    case "object":
      if (depth(code) > DEEPEST) return undefined;
      return code.entries.length === 0 ? "{}" : joined("{ ", code.entries.map(inlineEntry), " }");
  }
}

const joined = (open: string, parts: readonly (string | undefined)[], close: string) =>
  parts.includes(undefined) ? undefined : `${open}${parts.join(", ")}${close}`;

/**
 * Returns whether a list is printed with each element on a separate line. Formatters do this if all elements are objects with
 * several properties.
 */
const isMultiline = ({ items }: ListCode): boolean =>
  items.length > 1 && items.every((item) => item.kind === "object" && item.entries.length > 1);

/** Returns the depth of nested objects. Lists do not count. */
const depth = (code: Code): number => {
  if (code.kind === "object") return 1 + Math.max(0, ...code.entries.map(([, value]) => depth(value)));
  return code.kind === "list" ? Math.max(0, ...code.items.map(depth)) : 0;
};

function printList({ items }: ListCode, indent: number): string {
  const inner = indent + 2;
  const lines = items.map(
    (item) => `${pad(inner)}${print(item, { indent: inner, column: inner, after: 1 })},\n`,
  );
  return `[\n${lines.join("")}${pad(indent)}]`;
}

/** Prints an object with each property on its own line. */
export function printObject({ entries }: ObjectCode, indent: number): string {
  if (entries.length === 0) return "{}";
  const inner = indent + 2;
  const lines = entries.map((entry) => `${pad(inner)}${printProperty(entry, inner)},\n`);
  return `{\n${lines.join("")}${pad(indent)}}`;
}

export function printProperty([key, value]: Entry, indent: number): string {
  if (isSpread(value)) return value.text;
  const name = keyText(key);
  if (isStandalone(name, value)) return name;
  return assigned(`${name}:`, value, { indent, column: indent, after: 1 });
}

/**
 * Matches a name, a member or a call with one short text. Formatters move these expressions to the next line, but not `true` and
 * `null`.
 */
const REFERENCE =
  /^(?!(?:true|false|null|undefined)$)[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\("[^"\\]{0,25}"\))?$/;

/** Returns whether formatters move a value to the next line, if the value does not fit next to its key. */
function isMovable(value: Code, line: string): boolean {
  if (value.kind === "list") return value.items.length === 0;
  if (value.kind === "object") return value.entries.length === 0;
  return value.kind === "text" || REFERENCE.test(line);
}

/** Prints a value after `key:` or `const name =`. The value is on the next line if formatters would move it there. */
export function assigned(head: string, value: Code, { indent, column, after }: PrintPosition): string {
  const beside = { indent, column: column + widthOf(head) + 1, after };
  const line = inline(value);
  const isTooLong = line !== undefined && isMovable(value, line) && !canFit(line, beside);
  // Not even the opening bracket of the list or object fits next to the key.
  const isBracketTooFar = (value.kind === "list" || value.kind === "object") && beside.column >= WIDTH;
  if (!isTooLong && !isBracketTooFar) return `${head} ${print(value, beside)}`;
  const below = { indent: indent + 2, column: indent + 2, after };
  return `${head}\n${pad(indent + 2)}${isTooLong ? line : print(value, below)}`;
}

const inlineEntry = ([key, value]: Entry): string | undefined => {
  if (isSpread(value)) return value.text;
  const name = keyText(key);
  if (isStandalone(name, value)) return name;
  const line = inline(value);
  return line === undefined ? undefined : `${name}: ${line}`;
};

/** Returns true for a property that spreads another object. */
const isSpread = (value: Code): value is Extract<Code, { kind: "expression" }> =>
  value.kind === "expression" && value.text.startsWith("...");

/** Returns whether a property is printed as the name only, because its value is a variable with this name. */
const isStandalone = (name: string, value: Code): boolean =>
  (value.kind === "expression" && value.text === name) ||
  (value.kind === "own-path" && value.rest === "" && name === "project");

function keyText(key: Entry[0]): string {
  if (typeof key === "string") return propertyKey(key);
  if (key.kind === "expression") return `[${key.text}]`;
  return key.kind === "text" ? propertyKey(key.text) : `[${inline(key)}]`;
}

function propertyKey(text: string): string {
  // Without brackets, the key `__proto__` would set the prototype of the object.
  if (text === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(text) ? text : stringLiteral(text);
}

/** Prints a statement that makes a construct: `new Name(this, id, config)`. */
export function printConstruct(
  name: string,
  [scope, id]: readonly [scope: string, id: Code],
  config: Code,
  indent: number,
): string {
  const args = [scope, print(id, { indent, column: 0, after: 0 })];
  const line = inline(config);
  const head = `new ${name}(${args.join(", ")}, `;
  if (line !== undefined && canFit(`${head}${line}`, { indent, column: indent, after: 2 }))
    return `${head}${line});`;
  if (config.kind === "object" && indent + widthOf(head) + 1 <= WIDTH)
    return `${head}${printObject(config, indent)});`;
  const inner = indent + 2;
  const lines = [...args, print(config, { indent: inner, column: inner, after: 1 })];
  return `new ${name}(\n${lines.map((each) => `${pad(inner)}${each},\n`).join("")}${pad(indent)});`;
}

/** Prints `import { … } from "module";`, with the names in the order of formatters. */
export function printImport(names: readonly string[], module: string): string {
  const sorted = sortedNames([...new Set(names)]);
  const from = ` from ${stringLiteral(module)};`;
  const isTypeOnly = sorted.every((name) => name.startsWith("type "));
  const [head, members] = isTypeOnly ? ["import type", sorted.map(bareName)] : ["import", sorted];
  const line = `${head} { ${members.join(", ")} }${from}`;
  return line.length <= WIDTH ? line : `${head} {\n${members.map((each) => `  ${each},\n`).join("")}}${from}`;
}

/** The imports of a file from one module. */
export type Imports = readonly [module: string, names: readonly string[]];

/** Returns the text of a source file: a comment, imports and blocks. A blank line separates blocks. */
export const sourceText = (
  comment: readonly string[],
  imports: readonly Imports[],
  blocks: readonly string[],
): string =>
  [
    ...comment,
    ...imports.flatMap(([module, names]) => (names.length === 0 ? [] : [printImport(names, module)])),
    "",
    ...blocks.flatMap((block) => [block, ""]),
  ].join("\n");

/** Returns imported names in the order of formatters. A name can have the prefix `type`, which does not count. */
export const sortedNames = (names: readonly string[]): string[] =>
  [...names].sort((one, other) => compareNames(bareName(one), bareName(other)));

const bareName = (name: string): string => name.replace(/^type /, "");

/** Compares names letter by letter, as formatters do: `A` before `a` before `B`. */
function compareNames(one: string, other: string): number {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [a, b] = [one[at]!, other[at]!];
    if (a === b) continue;
    const [low, otherLow] = [a.toLowerCase(), b.toLowerCase()];
    if (low === otherLow) return a < b ? -1 : 1;
    return low < otherLow ? -1 : 1;
  }
  return one.length - other.length;
}

const pad = (indent: number): string => " ".repeat(indent);

/** Prints a comment, wrapped between words. A word that is too long stays whole. */
export function printComment(text: string, indent: number, first = "", next = first): string[] {
  const lines: string[] = [];
  let line = `${pad(indent)}// ${first}`;
  let isEmpty = true;
  for (const word of text.split(" ").filter((each) => each !== "")) {
    if (!isEmpty && widthOf(line) + widthOf(word) + 1 > WIDTH) {
      lines.push(line);
      line = `${pad(indent)}// ${next}`;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
