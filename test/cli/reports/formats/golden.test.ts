import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { jsonReport } from "../../../../src/cli/reports/formats/json";
import { junitReport } from "../../../../src/cli/reports/formats/junit";
import { markdownReport } from "../../../../src/cli/reports/formats/markdown";
import { widgetReport } from "../../../../src/cli/reports/formats/widget";
import { FORMATS } from "../../../../src/cli/reports/report-formats";
import { maskEmails, printableReport } from "../../../../src/cli/reports/safe-report";
import { problemsOf } from "../../support/html";
import { expectGolden } from "../support/golden";
import { applied, drifted, partlyDrifted, planned } from "../support/runs";
import { junitErrors, schemaErrors } from "../support/schemas";

const RUNS = {
  plan: { run: planned, counts: { create: 2, update: 1, delete: 1 } },
  apply: { run: applied, counts: { create: 2, update: 1, delete: 1 } },
  drift: { run: drifted, counts: { create: 1, update: 1, delete: 0 } },
  "partial-drift": { run: partlyDrifted, counts: { create: 0, update: 0, delete: 0 } },
};

describe.each(Object.entries(RUNS))("the report of the run %s", (command, { run, counts }) => {
  test("the report as Markdown equals the golden file", async () => {
    expectGolden(`${command}.golden.md`, markdownReport(maskEmails(await run())));
  });

  test("the report as HTML, without its styles and script, equals the golden file", async () => {
    const page = htmlReport(printableReport(maskEmails(await run())));
    expect(problemsOf(page)).toEqual([]);
    expectGolden(`${command}.golden.html`, page);
  });

  test("the report as JUnit equals a golden file that docs/junit.xsd accepts", async () => {
    const xml = junitReport(maskEmails(await run()));
    expectGolden(`${command}.golden.xml`, xml);
    expect(await junitErrors(xml)).toEqual([]);
  });

  test("the JSON for the merge request's plan widget counts the created, updated and deleted objects", async () => {
    expect(JSON.parse(widgetReport(await run()))).toEqual(counts);
  });

  test("the report as JSON equals a golden file that docs/report.schema.json accepts", async () => {
    const json = jsonReport(maskEmails(await run()));
    expectGolden(`${command}.golden.json`, json);
    expect(schemaErrors(JSON.parse(json))).toEqual([]);
  });
});

test.each(Object.keys(FORMATS).filter((format) => format !== "json"))(
  "the report as %s shows no encoded value",
  async (format) => {
    const report = printableReport(maskEmails(await planned()));
    expect(jsonReport(report)).toContain('"$unknown"');
    expect(FORMATS[format]!.load()(report)).not.toContain("$unknown");
  },
);

test("docs/report.schema.json rejects a report if a stack has no fields", () => {
  expect(schemaErrors({ format_version: "1.0", stacks: [{}] })).not.toEqual([]);
});
