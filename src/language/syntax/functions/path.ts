import { posix } from "node:path";
import { STRING, string, textOf } from "../../values";
import { type FunctionTable, fn } from "./function";

const path = (compute: (path: string) => string) =>
  fn({ path: STRING }, STRING, ([given]) => string(compute(textOf(given))));

/** Parts of paths, taken from the text alone. */
const PATH_FUNCTIONS: FunctionTable = {
  basename: path((given) => (given === "" ? "." : posix.basename(given) || "/")),
  dirname: path((given) => posix.normalize(given.replace(/[^/]*$/, "") || ".").replace(/(?<=.)\/$/, "")),
};

export = PATH_FUNCTIONS;
