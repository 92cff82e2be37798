import { printImport, sortedNames } from "./print";
import { nameOf, nodeOf, nodesOf, type SyntaxNode } from "./source-tree";

/** Replaces a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The module that a name is imported from; the given one if it is not imported. */
export const moduleOf = (program: SyntaxNode, name: string, otherwise: string): string =>
  importsOf(program)
    .filter((one) => specifiersOf(one).some(({ imported }) => imported === name))
    .map(moduleName)[0] ?? otherwise;

/** Imports what a source does not import from a module yet; `type X` needs the type alone. */
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

/** Whether names can be added between its braces, without a comment getting lost. */
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
