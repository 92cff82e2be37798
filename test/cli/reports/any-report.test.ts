import fc from "fast-check";
import type { Report } from "../../../src/cli/document/model";
import { readWholeReport } from "../../../src/cli/reports/read-report";
import { FORMATS } from "../../../src/cli/reports/report-formats";
import { printableReport } from "../../../src/cli/reports/safe-report";
import { runs, seed } from "../../support/capabilities";
import { problemsOf } from "../support/html";
import { anyReport } from "./support/any-report";

/** Markup that a reader of the report would see as a picture, a link or a mention. */
const MARKUP = ["![raw](x)", "<b>raw</b>", "@maintainers", "[raw](http://evil.example)", "# raw", "&copy;"];
const text = fc.oneof(
  fc.constantFrom(
    "",
    "x",
    "a.b.c",
    "steward_thing.one",
    "acme/web",
    "a sentence, as usual",
    "`",
    "``` ` ```",
  ),
  fc.constantFrom(...MARKUP),
  fc.constantFrom(...MARKUP).map((markup) => `\`${markup}\``),
);

/**
 * Reads reports as `report merge`, `history` and `ci comment` do. The report files of these commands may come from other
 * people.
 */
const reports = anyReport(text).map(
  (given): Report =>
    readWholeReport(
      JSON.stringify({
        ...given,
        format_version: "1.10",
        started_at: "2026-01-02T03:04:05Z",
        finished_at: "2026-01-02T03:04:06Z",
      }),
    ),
);

/** Returns Markdown without its code. Text in code is never markup. */
const withoutCode = (markdown: string): string =>
  markdown
    .replaceAll(/^( *)(`{3,})[^`\n]*\n[\s\S]*?^\1\2`*$/gm, "")
    .replaceAll(/(?<!`)(`+)(?!`)(?:.*?[^`])\1(?!`)/g, "");

const reportWith = (more: object): Report =>
  readWholeReport(
    JSON.stringify({
      format_version: "1.10",
      steward_version: "0.2.0",
      command: "plan",
      started_at: "2026-01-02T03:04:05Z",
      finished_at: "2026-01-02T03:04:06Z",
      result: "found",
      stacks: [],
      ...more,
    }),
  );

describe("a report with hostile texts", () => {
  it.each(Object.keys(FORMATS))(
    "if a report's texts contain markup or control characters, Steward still writes the report as %s",
    (format) => {
      const write = FORMATS[format]!.load();
      fc.assert(
        fc.property(reports, (report) => {
          const page = write(printableReport(report));
          expect(page).not.toBe("");
          if (format === "html") expect(problemsOf(page)).toEqual([]);
        }),
        { numRuns: runs(60, 5_000), seed },
      );
    },
  );

  it.each(MARKUP)(
    "a Markdown report prints %s as text, not as markup, in the reason for unknown access",
    (markup) => {
      const write = FORMATS["markdown"]!.load();
      const rights = [{ not_known: "acme/web", why: `Refused: ${markup}` }];
      const page = write(printableReport(reportWith({ rights })));
      expect(page).toContain("Refused");
      expect(withoutCode(page)).not.toContain(markup);
    },
  );

  it("if the address of a change's dependency is invalid, the HTML report has no markup errors", () => {
    const planned = {
      address: "steward_thing.one",
      type: "steward_thing",
      status: "planned",
      action: "create",
      attributes: [],
      diagnostics: [],
      depends_on: ["x"],
    };
    const stacks = [{ name: null, objects: [planned], unchecked: 0, diagnostics: [] }];
    const page = FORMATS["html"]!.load()(printableReport(reportWith({ stacks })));
    expect(problemsOf(page)).toEqual([]);
    expect(page).toContain("steward_thing.one");
  });

  it("in a Markdown report, no text of the run becomes markup", () => {
    const write = FORMATS["markdown"]!.load();
    fc.assert(
      fc.property(reports, (report) => {
        const page = withoutCode(write(printableReport(report)));
        for (const markup of MARKUP) expect(page).not.toContain(markup);
      }),
      { numRuns: runs(150, 10_000), seed },
    );
  });
});
