import { fail } from "../../diagnostics";
import type { Edit } from "./edit";
import { printImport, sortedNames } from "./print";
import { descendants, nameOf, newArguments, nodeOf, nodesOf, type SyntaxNode } from "./source-tree";

/** The place in a source where declarations are added. */
export interface InsertionPoint {
  /** The position before which declarations are inserted: the end of a block, or the start of a statement. */
  readonly at: number;
  /** The scope of the inserted constructs: `this`, or the variable of a stack. */
  readonly scope: string;
  /** The block that contains the code of the stack. */
  readonly body: SyntaxNode;
  /** The name of the stack's class; undefined for a stack in a variable. */
  readonly className?: string | undefined;
  /** Whether the declarations come at the end of a block, whose closing brace is at `at`. */
  readonly isEndOfBlock: boolean;
}

/**
 * Returns the position for new declarations: the end of the stack's constructor, or, for a stack in a variable, a position in
 * its block.
 *
 * @param stack the name of the stack, if the file has several
 * @throws DiagnosticError if the file has no such point, or several
 */
export function insertionPoint(program: SyntaxNode, file: string, stack?: string): InsertionPoint {
  const all = candidates(program);
  const isNamed = (point: InsertionPoint) => stackNames(program, point).includes(stack);
  const withProvider = all.filter(({ body, scope }) => hasProvider(body, scope));
  const withoutName = withProvider.length > 0 ? withProvider : all;
  const found = stack !== undefined && all.length > 1 ? all.filter(isNamed) : withoutName;
  if (found.length === 1) return found[0]!;
  if (stack !== undefined && all.length > 1)
    return fail({
      code: "no_place_to_insert",
      summary: "Stack not in the file",
      detail: `${file} does not create the stack ${JSON.stringify(stack)} exactly once. Nothing was written. Pass the file that contains \`new …(app, ${JSON.stringify(stack)})\`.`,
    });
  return fail({
    code: "no_place_to_insert",
    summary: found.length === 0 ? "No stack in the file" : "Several stacks in the file",
    detail:
      found.length === 0
        ? `${file} declares no stack. Steward looks for a variable with a new TerraformStack, or for a class that extends TerraformStack and has a constructor. Nothing was written. Pass the file that declares the stack. If its class inherits the constructor, add one: constructor(scope: Construct, id: string) { super(scope, id); }`
        : `${file} declares ${found.length} stacks. Nothing was written. Choose the stack with --stack.`,
  });
}

/**
 * Returns the ids of the stacks that an insertion point belongs to. For a class, the result has the ids of all its instances. For
 * a variable, the result has the id of the stack in the variable.
 */
function stackNames(program: SyntaxNode, { className, scope }: InsertionPoint): (string | undefined)[] {
  const idOf = (made: SyntaxNode | undefined): string[] => {
    const id = newArguments(made)?.[1];
    return id?.type === "StringLiteral" ? [String(id["value"])] : [];
  };
  return [...descendants(program)].flatMap((node) => {
    if (className === undefined)
      return node.type === "VariableDeclarator" && nameOf(nodeOf(node, "id")) === scope
        ? idOf(nodeOf(node, "init"))
        : [];
    return newArguments(node, className) === undefined ? [] : idOf(node);
  });
}

const candidates = (program: SyntaxNode): InsertionPoint[] =>
  [...descendants(program)].flatMap((node) => [...constructorOf(node), ...statementsOf(node)]);

/** Returns the end of the constructor of a class that extends a stack, in a list; an empty list for other nodes. */
function constructorOf(node: SyntaxNode): InsertionPoint[] {
  if (node.type !== "ClassDeclaration" && node.type !== "ClassExpression") return [];
  if (nodeOf(node, "superClass") === undefined) return [];
  const members = nodesOf(nodeOf(node, "body")!, "body");
  const body = nodeOf(
    members.find((member) => member["kind"] === "constructor" && nodeOf(member, "body") !== undefined),
    "body",
  );
  if (body === undefined) return [];
  const isStack = nameOf(nodeOf(node, "superClass")) === "TerraformStack" || hasProvider(body, "this");
  return isStack
    ? [{ at: body.end - 1, scope: "this", body, className: nameOf(nodeOf(node, "id")), isEndOfBlock: true }]
    : [];
}

/**
 * Returns the points where declarations are added to a stack in a variable: before `app.synth()`, or at the end of the block. The
 * stack is a `new TerraformStack(…)`, or an instance of a class with a provider.
 */
function statementsOf(node: SyntaxNode): InsertionPoint[] {
  if (node.type !== "Program" && node.type !== "BlockStatement") return [];
  const statements = nodesOf(node, "body");
  const stacks = statements
    .filter(({ type }) => type === "VariableDeclaration")
    .flatMap((declaration) => nodesOf(declaration, "declarations"))
    .flatMap((variable) => {
      const scope = nameOf(nodeOf(variable, "id"));
      const made = nodeOf(variable, "init");
      if (scope === undefined || newArguments(made) === undefined) return [];
      const isStack = newArguments(made, "TerraformStack") !== undefined || hasProvider(node, scope);
      return isStack ? [scope] : [];
    });
  const synthesis = statements.findLast(isSynthesis);
  return stacks.map((scope) => {
    if (synthesis !== undefined) return { at: synthesis.start, scope, body: node, isEndOfBlock: false };
    return node.type === "Program"
      ? { at: node.end, scope, body: node, isEndOfBlock: false }
      : { at: node.end - 1, scope, body: node, isEndOfBlock: true };
  });
}

/** `app.synth();` */
function isSynthesis(statement: SyntaxNode): boolean {
  const call = nodeOf(statement, "expression");
  return call?.type === "CallExpression" && nameOf(nodeOf(call, "callee")) === "synth";
}

/** Returns whether the body contains `new StewardProvider(scope, …)`. */
const hasProvider = (body: SyntaxNode, scope: string): boolean =>
  [...descendants(body)].some((node) => {
    const first = newArguments(node, "StewardProvider")?.[0];
    return scope === "this" ? first?.type === "ThisExpression" : nameOf(first) === scope;
  });

/** Returns the module from which a name is imported, or `otherwise` if no import has the name. */
export const moduleOf = (program: SyntaxNode, name: string, otherwise: string): string =>
  importsOf(program)
    .filter((one) => specifiersOf(one).some(({ imported }) => imported === name))
    .map(moduleName)[0] ?? otherwise;

/**
 * Returns the edit that adds missing names to the imports of a module; undefined if no name is missing. A name `type X` is
 * imported as a type.
 */
export function mergeImport(
  program: SyntaxNode,
  source: string,
  module: string,
  names: Iterable<string>,
): Edit | undefined {
  const declarations = importsOf(program).filter((one) => moduleName(one) === module);
  const bound = new Set(
    declarations
      .flatMap(specifiersOf)
      .filter(({ imported, local }) => imported === local)
      .map(({ imported }) => imported),
  );
  const missing = [...names].filter((name) => !bound.has(name.replace(/^type /, "")));
  if (missing.length === 0) return undefined;
  const target = declarations.find((one) => isExtensible(one, source));
  if (target === undefined) return importAfterOthers(program, printImport(missing, module));
  const present = nodesOf(target, "specifiers").map(({ start, end }) => source.slice(start, end));
  const isSorted = sortedNames(present).every((name, at) => name === present[at]);
  const all = isSorted ? sortedNames([...present, ...missing]) : [...present, ...sortedNames(missing)];
  const text = source.slice(target.start, target.end);
  const [open, close] = [text.indexOf("{"), text.indexOf("}")];
  const isOneLine = !text.includes("\n") && text.length - (close - open) + all.join(", ").length + 3 <= 110;
  const list = isOneLine ? `{ ${all.join(", ")} }` : `{\n${all.map((name) => `  ${name},\n`).join("")}}`;
  return { start: target.start + open, end: target.start + close + 1, text: list };
}

const importsOf = (program: SyntaxNode): SyntaxNode[] =>
  nodesOf(program, "body").filter(({ type }) => type === "ImportDeclaration");

const moduleName = (declaration: SyntaxNode): string => String(nodeOf(declaration, "source")?.["value"]);

interface Specifier {
  readonly imported: string | undefined;
  readonly local: string | undefined;
}

const specifiersOf = (declaration: SyntaxNode): Specifier[] =>
  nodesOf(declaration, "specifiers").map((one) => ({
    imported: nameOf(nodeOf(one, "imported")),
    local: nameOf(nodeOf(one, "local")),
  }));

/**
 * Returns whether names can be added between the braces of an import. Returns false for `import type`, and if a comment would be
 * lost.
 */
function isExtensible(declaration: SyntaxNode, source: string): boolean {
  const specifiers = nodesOf(declaration, "specifiers");
  return (
    declaration["importKind"] !== "type" &&
    specifiers.length > 0 &&
    specifiers.every(({ type }) => type === "ImportSpecifier") &&
    !/\/[/*]/.test(source.slice(declaration.start, nodeOf(declaration, "source")!.start))
  );
}

function importAfterOthers(program: SyntaxNode, text: string): Edit {
  const last = importsOf(program).at(-1);
  if (last !== undefined) return { start: last.end, end: last.end, text: `\n${text}` };
  const first = nodesOf(program, "body")[0]?.start ?? program.end;
  return { start: first, end: first, text: `${text}\n` };
}
