import type { Definition, FunctionTable, SpecialForm } from "./functions/function";

/** The functions of each table, so that a table is loaded when one of its functions is called, not before. */
const TABLES: readonly { readonly names: string; readonly load: () => FunctionTable }[] = [
  {
    names: "abs ceil floor log max min parseint pow signum sum range",
    load: () => (require("./functions/numeric") as typeof import("./functions/numeric")).NUMERIC_FUNCTIONS,
  },
  {
    names:
      "chomp endswith format formatlist indent join lower regex regexall replace split startswith strcontains " +
      "strrev substr title trim trimprefix trimspace trimsuffix upper",
    load: () => (require("./functions/string") as typeof import("./functions/string")).STRING_FUNCTIONS,
  },
];

/** Functions whose result does not depend on their arguments alone, and why. */
export const UNSUPPORTED_FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ...[
    "abspath file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 fileset filesha1 filesha256",
    "filesha512 pathexpand templatefile",
  ]
    .flatMap((names) => names.split(" "))
    .map((name) => [name, "reads files"] as const),
  ["timestamp", "reads the clock"],
  ["plantimestamp", "reads the clock"],
  ["uuid", "is random"],
  ["bcrypt", "is random"],
]);

const loaders = new Map(
  TABLES.flatMap(({ names, load }) => names.split(" ").map((name) => [name, load] as const)),
);

export const functionNames = (): Iterable<string> => loaders.keys();

export function findFunction(name: string): Definition | SpecialForm | undefined {
  return loaders.get(name)?.()[name];
}
