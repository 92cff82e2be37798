import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Compares with a file of `golden/`. UPDATE_GOLDEN=1 writes it anew: look at what git says changed. */
export function expectGolden(name: string, text: string): void {
  const file = path.join(__dirname, "..", "golden", name);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}
