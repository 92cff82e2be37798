import { readFileSync } from "node:fs";
import path from "node:path";
import { parseJson } from "../json";

/** The version of this package. */
export function packageVersion(): string {
  const file = path.join(__dirname, "..", "..", "package.json");
  return (parseJson(readFileSync(file, "utf8")) as { version: string }).version;
}
