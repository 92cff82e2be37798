import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CODES } from "../../src/diagnostics";

const SOURCES = path.join(__dirname, "..", "..", "src");

/** Every source file but the registry itself. */
const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith("diagnostics") && !file.includes("generated"))
  .map((file) => readFileSync(path.join(SOURCES, file), "utf8"));

const words = new Set(
  sources.flatMap((text) => text.match(/"[a-z][a-z0-9_]*"/g) ?? []).map((word) => word.slice(1, -1)),
);

describe("the registry of error codes", () => {
  // That every code raised is registered is held by the type of `Diagnostic.code`.
  test("each code is raised somewhere", () => {
    expect(Object.keys(CODES).filter((code) => !words.has(code))).toEqual([]);
  });

  test("says what each means and how to mend it, in sentences", () => {
    for (const [code, [meaning, remedy]] of Object.entries(CODES)) {
      expect([code, meaning]).toEqual([code, expect.stringMatching(/^[A-Z`].*[.)]$/)]);
      expect([code, remedy]).toEqual([code, expect.stringMatching(/^[A-Z`].*\.$/)]);
    }
  });

  test("all codes have one spelling", () => {
    for (const code of Object.keys(CODES)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});
