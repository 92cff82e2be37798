import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { API_CODES, CODES } from "../../src/diagnostics";

const ROOT = path.join(__dirname, "..", "..");
const SOURCES = path.join(ROOT, "src");

/** The source files, without the registry of codes and generated files. */
const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.startsWith("diagnostics") && !file.includes("generated"),
);
const textOf = (file: string): string => readFileSync(path.join(SOURCES, file), "utf8");
const sources = files.map(textOf);

/** Matches files whose property `summary` does not belong to a diagnostic, but to an operation, a command or a function. */
const OTHER_SUMMARIES = /^(?:api|service|cli\/arguments|cli\/document|provider\/functions)\b/;

const words = new Set(
  sources.flatMap((text) => text.match(/"[a-z][a-z0-9_]*"/g) ?? []).map((word) => word.slice(1, -1)),
);

/** The rows of `docs/errors.md` about codes that are still in use. */
const page = readFileSync(path.join(ROOT, "docs", "errors.md"), "utf8").split("## No longer raised")[0]!;
const rows = [...page.matchAll(/^\| `(\w+)` \| (.*?) \| (.*) \|$/gm)].map(
  ([, code, meaning, remedy]) => [code, meaning, remedy] as const,
);

describe("the registry of error codes", () => {
  // The reverse needs no test: the type of `Diagnostic.code` allows only registered codes.
  test("each registered error code is used in src", () => {
    expect([...CODES].filter((code) => !words.has(code))).toEqual([]);
  });

  test("docs/errors.md contains each code once, and no other code", () => {
    expect(rows.map(([code]) => code).sort()).toEqual([...CODES].sort());
  });

  test("docs/errors.md explains each code and its fix in whole sentences", () => {
    for (const [code, meaning, remedy] of rows) {
      expect([code, meaning]).toEqual([code, expect.stringMatching(/^[A-Z`].*[.)]$/)]);
      expect([code, remedy]).toEqual([code, expect.stringMatching(/^[A-Z`].*\.$/)]);
    }
  });

  test("the texts of request errors in docs/errors.md equal the texts in API_CODES", () => {
    const documented = new Map<string, readonly string[]>(
      rows.map(([code, ...texts]) => [code!, texts as string[]]),
    );
    for (const [code, texts] of Object.entries(API_CODES))
      expect([code, documented.get(code)]).toEqual([code, texts.slice(0, 2)]);
  });

  test("the summaries of request errors are short phrases without names and full stop", () => {
    for (const [code, [, , summary]] of Object.entries(API_CODES)) {
      expect([code, summary]).toEqual([code, expect.stringMatching(/^[A-Z][^.:"]*[^.:"\s]$/)]);
      expect([code, summary.length <= 50]).toEqual([code, true]);
    }
  });

  test("the summary of each diagnostic is a short phrase without a full stop", () => {
    const summaries = files
      .filter((file) => !OTHER_SUMMARIES.test(file))
      .flatMap((file) => [...textOf(file).matchAll(/\bsummary: (?:"([^"]*)"|`([^`]*)`)/g)])
      .map(([, plain, template]) => plain ?? template!);
    expect(summaries.length).toBeGreaterThan(200);
    for (const summary of summaries) expect(summary).toMatch(/^[A-Z$`].{1,79}[^.:\s]$/);
  });

  test("the detail of each diagnostic ends with a full stop, a colon or a value", () => {
    const details = files.flatMap((file) =>
      [...textOf(file).matchAll(/\bdetail:\s*(?:"([^"]*)"|`([^`]*)`)(?=\s*[,}])/g)].map(
        ([, plain, template]) => plain ?? template!,
      ),
    );
    expect(details.length).toBeGreaterThan(200);
    for (const detail of details) expect(detail).toMatch(/^\S+.*[.:}]$/s);
  });

  test("each error code consists of lower-case words with underscores", () => {
    for (const code of CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});
