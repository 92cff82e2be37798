import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inFewLines } from "../../../support/few-lines";
import { withoutAssets } from "../../support/html";

export const isUpdate = process.env["UPDATE_GOLDEN"] === "1";
const fileOf = (name: string): string => path.join(__dirname, "..", "golden", name);

export const readGolden = (name: string): string => readFileSync(fileOf(name), "utf8");

/**
 * Compares a report with its file in `golden/`. UPDATE_GOLDEN=1 rewrites the file: review the git diff as the
 * approver would.
 */
export function expectGolden(name: string, written: string): void {
  const text = reviewable(name, written);
  if (isUpdate) writeFileSync(fileOf(name), text);
  expect(text).toBe(readGolden(name));
}

/**
 * Removes styles and scripts from a page, and writes each JSON object on one line. Each change is then one line of the diff.
 */
function reviewable(name: string, written: string): string {
  if (name.endsWith(".html")) return withoutAssets(written);
  return name.endsWith(".json") ? `${inFewLines(JSON.parse(written), 4)}\n` : written;
}
