import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { validateXML } from "xmllint-wasm";
import { htmlReport } from "../../../../src/cli/reports/formats/html";
import { jsonReport } from "../../../../src/cli/reports/formats/json";
import { junitReport } from "../../../../src/cli/reports/formats/junit";
import { markdownReport } from "../../../../src/cli/reports/formats/markdown";
import { widgetReport } from "../../../../src/cli/reports/formats/widget";
import { maskEmails, printableReport } from "../../../../src/cli/reports/safe-report";
import { problemsOf, withoutAssets } from "../../support/html";
import { expectGolden } from "../support/golden";
import { applied, drifted, partlyDrifted, planned } from "../support/runs";

const docs = (name: string) => readFileSync(path.join(__dirname, "../../../../docs", name), "utf8");
const reports = { plan: planned, apply: applied, drift: drifted, "partial-drift": partlyDrifted };

describe.each(Object.entries(reports))("the report of a run of %s", (command, run) => {
  test("as Markdown equals the golden file", async () => {
    expectGolden(`${command}.golden.md`, markdownReport(maskEmails(await run())));
  });

  test("as HTML equals the golden file, without styles and script", async () => {
    const page = htmlReport(printableReport(maskEmails(await run())));
    expect(problemsOf(page)).toEqual([]);
    expectGolden(`${command}.golden.html`, withoutAssets(page));
  });

  test("as JUnit equals the golden file and is valid against docs/junit.xsd", async () => {
    const xml = junitReport(maskEmails(await run()));
    expectGolden(`${command}.golden.xml`, xml);
    const { errors } = await validateXML({
      xml: { fileName: "report.xml", contents: xml },
      schema: { fileName: "junit.xsd", contents: docs("junit.xsd") },
    });
    expect(errors).toEqual([]);
  });

  test("as the plan widget's JSON equals the golden file", async () => {
    expectGolden(`${command}.golden.widget.json`, widgetReport(await run()));
  });

  test("as JSON equals the golden file and is valid against docs/report.schema.json", async () => {
    const json = jsonReport(maskEmails(await run()));
    expectGolden(`${command}.golden.json`, json);
    const isValid = new Ajv({ strict: true }).compile(JSON.parse(docs("report.schema.json")));
    expect([isValid(JSON.parse(json)), isValid.errors]).toEqual([true, null]);
  });
});

test("the schema rejects invalid reports", () => {
  const isValid = new Ajv({ strict: true }).compile(JSON.parse(docs("report.schema.json")));
  expect(isValid({ format_version: "1.0", stacks: [{}] })).toBe(false);
});
