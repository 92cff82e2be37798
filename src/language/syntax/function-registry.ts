import type { Program } from "./errors";
import type { Definition } from "./functions/definition";
import type { FunctionTable, SpecialForm } from "./functions/function";

/**
 * The names of the functions in each table, with a function that loads the table. A table is loaded at the first call of one of
 * its functions.
 */
const TABLES: readonly (readonly [names: string, load: () => FunctionTable])[] = [
  ["abs ceil floor log max min parseint pow signum sum range", () => require("./functions/numeric")],
  [
    "basename chomp dirname endswith indent join lower regex regexall replace sort split startswith strcontains strrev " +
      "substr title trim trimprefix trimspace trimsuffix upper",
    () => require("./functions/string"),
  ],
  [
    "alltrue anytrue coalesce coalescelist compact contains distinct index length matchkeys one",
    () => require("./functions/collection"),
  ],
  [
    "chunklist concat element flatten reverse setintersection setproduct setsubtract setunion slice",
    () => require("./functions/list"),
  ],
  ["keys lookup merge transpose values zipmap", () => require("./functions/mapping")],
  [
    "can ephemeralasnull issensitive nonsensitive sensitive tobool tolist tomap tonumber toset tostring try",
    () => require("./functions/type"),
  ],
  [
    "base64decode base64encode base64gzip csvdecode jsondecode jsonencode textdecodebase64 textencodebase64 " +
      "urlencode",
    () => require("./functions/encoding"),
  ],
  ["base64sha256 base64sha512 md5 rsadecrypt sha1 sha256 sha512 uuidv5", () => require("./functions/hash")],
  ["formatdate timeadd timecmp", () => require("./functions/date")],
  ["cidrhost cidrnetmask cidrsubnet cidrsubnets", () => require("./functions/network")],
  ["format formatlist", () => require("./functions/format")],
  ["yamldecode yamlencode", () => require("./functions/yaml")],
];

interface UnsupportedFunction {
  /** The effect that makes the function impossible here, as a clause after "which", such as `reads files`. */
  readonly reason: string;
  readonly program: Program;
}

const unsupported = (names: string, reason: string, program: Program = "terraform plan") =>
  names.split(" ").map((name): [string, UnsupportedFunction] => [name, { reason, program }]);

/** The functions of Terraform up to 1.16 and OpenTofu up to 1.12 that the engine does not have. */
export const UNSUPPORTED_FUNCTIONS: ReadonlyMap<string, UnsupportedFunction> = new Map([
  ...unsupported(
    "abspath file filebase64 filebase64sha256 filebase64sha512 fileexists filemd5 fileset filesha1 filesha256 " +
      "filesha512 pathexpand templatefile",
    "reads files",
  ),
  ...unsupported("timestamp plantimestamp", "reads the clock"),
  ...unsupported("uuid bcrypt", "is random"),
  ...unsupported("templatestring", "evaluates a template at run time"),
  ...unsupported("convert", "converts to a type constraint"),
  ...unsupported("base64gunzip cidrcontains urldecode", "only OpenTofu has", "tofu plan"),
]);

const loaders = new Map(
  TABLES.flatMap(([names, load]) => names.split(" ").map((name) => [name, load] as const)),
);

export const functionNames = (): Iterable<string> => loaders.keys();

export function findFunction(name: string): Definition | SpecialForm | undefined {
  return loaders.get(name)?.()[name];
}
