import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Compares with a file in `golden/`. UPDATE_GOLDEN=1 rewrites it: review the git diff. */
export function expectGolden(name: string, text: string): void {
  const file = path.join(__dirname, "..", "golden", name);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}
