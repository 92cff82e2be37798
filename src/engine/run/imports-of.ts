import type { Configuration, ImportDeclaration } from "../../language";
import { memoize } from "../../schema";

const byResource = memoize(
  ({ imports }: Configuration): ReadonlyMap<string, readonly ImportDeclaration[]> => {
    const found = new Map<string, ImportDeclaration[]>();
    for (const declaration of imports) {
      const known = found.get(declaration.to);
      if (known === undefined) found.set(declaration.to, [declaration]);
      else known.push(declaration);
    }
    return found;
  },
);

/** The `import` blocks of a resource, in their order. */
export const importsOf = (configuration: Configuration, address: string): readonly ImportDeclaration[] =>
  byResource(configuration).get(address) ?? [];
