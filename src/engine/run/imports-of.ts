import type { Configuration, ImportDeclaration } from "../../language";
import { groupBy, memoize } from "../../schema";

const byResource = memoize(({ imports }: Configuration) => groupBy(imports, ({ to }) => to));

/** The `import` blocks of a resource, in their order. */
export const importsOf = (configuration: Configuration, address: string): readonly ImportDeclaration[] =>
  byResource(configuration).get(address) ?? [];
