import { DOMParser } from "@xmldom/xmldom";
import fc from "fast-check";
import type { Report } from "../../../../src/cli/document/model";
import { junitReport } from "../../../../src/cli/reports/formats/junit";
import { runs, seed } from "../../../support/capabilities";
import { drifted } from "../support/runs";

/** Generates texts with characters that are special in XML: markup, entities, line ends. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "&",
        "<",
        ">",
        '"',
        "'",
        ";",
        "\n",
        "\r",
        "\t",
        " ",
        "&lt;",
        "&#10;",
        "R&D; review",
        "]]>",
      ),
      fc.string({ unit: "grapheme", maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(""));

/** Returns a report with one failed object, whose texts are all `words`. */
function failedWith(report: Report, words: string): Report {
  const [stack] = report.stacks;
  const [object] = stack!.objects;
  const diagnostic = { severity: "error" as const, code: "internal_error", summary: words, detail: words };
  const failed = { ...object!, status: "failed" as const, address: words, project: words, id: `1:${words}` };
  return {
    ...report,
    run: { pipeline: words },
    stacks: [
      { ...stack!, objects: [{ ...failed, file: words, diagnostics: [diagnostic] }], diagnostics: [] },
    ],
  };
}

describe("a JUnit report", () => {
  it("an XML parser reads each text in a JUnit report unchanged", async () => {
    const report = await drifted();
    fc.assert(
      fc.property(text, (words) => {
        const problems: string[] = [];
        const parser = new DOMParser({ onError: (level, problem) => problems.push(`${level}: ${problem}`) });
        const parsed = parser.parseFromString(junitReport(failedWith(report, words)), "text/xml");
        expect(problems).toEqual([]);
        const [testCase] = parsed.getElementsByTagName("testcase");
        const [error] = parsed.getElementsByTagName("error");
        expect(testCase!.getAttribute("file")).toBe(words);
        expect(testCase!.getAttribute("name")).toContain(words.trimEnd());
        expect(error!.getAttribute("message")).toBe(words);
        expect(error!.textContent).toContain(`Error: ${words} [internal_error]\n${words}`);
        expect(parsed.getElementsByTagName("property")[0]!.getAttribute("value")).toBe(words);
      }),
      { numRuns: runs(100, 5_000), seed },
    );
  });
});
