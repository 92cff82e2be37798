import { type Diagnostic, error, nearest } from "../../diagnostics";
import {
  type Configuration,
  type ImportDeclaration,
  locate,
  referencedDeclaration,
  references,
} from "../../language";

/** Validates `import` blocks against the configuration. */
export function checkImports({ imports, resources }: Configuration): Diagnostic[] {
  const seen = new Set<string>();
  return imports.flatMap((declaration) => {
    const isRepeated = seen.has(declaration.target);
    seen.add(declaration.target);
    if (isRepeated) return [invalidImport(declaration, "Another import block has the same target.")];
    const { to, id, identity } = declaration;
    if (!resources.has(to)) return [notDeclared(declaration, resources.keys())];
    const named = id ?? identity!;
    const isOwn = references(named).some((one) => referencedDeclaration(one).address === to);
    const argument = id === undefined ? "identity" : "id";
    return isOwn
      ? [invalidImport(declaration, `Its ${argument} refers to the resource that is to be imported.`)]
      : [];
  });
}

function notDeclared({ to, target }: ImportDeclaration, declared: Iterable<string>): Diagnostic {
  const close = nearest(to, declared);
  return error({
    code: "import_not_declared",
    summary: "Import target is not declared",
    detail:
      `An import block names ${target}, but the configuration declares no ${to}. ` +
      (close === undefined ? "Declare it, with the live object's values." : `Did you mean "${close}"?`),
    ...locate({ address: target, construct: undefined }),
  });
}

export const invalidImport = ({ target }: ImportDeclaration, why: string): Diagnostic =>
  error({
    code: "import_block_invalid",
    summary: "Invalid import block",
    detail: `The import block for ${target} is invalid. ${why}`,
    ...locate({ address: target, construct: undefined }),
  });
