import { readFileSync } from "node:fs";
import path from "node:path";
import { validateXML } from "xmllint-wasm";
import type { Report } from "../../../src/cli/document/model";
import { ReportCollector } from "../../../src/cli/reports/collector";
import { htmlReport } from "../../../src/cli/reports/formats/html";
import { junitReport } from "../../../src/cli/reports/formats/junit";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { change, objects } from "../support/models";
import { usePlace } from "../support/place";

// What heads a report: the run it comes from, and which way its differences read.

const place = usePlace("all");

async function drift(): Promise<Report> {
  let found: Report | undefined;
  const run = { commit: "c0ffee", pipeline: "https://ci.example/pipelines/7" };
  const finish = async (report: Report) => {
    found = report;
  };
  const collector = new ReportCollector(
    "drift",
    finish,
    undefined,
    () => new Date(Date.UTC(2026, 0, 31)),
    run,
  );
  collector.stack("shop");
  const drifted = change({
    action: "update",
    before: { id: "7", level: 30 },
    after: { id: "7", level: 40 },
    container: { kind: "project", name: "acme/web", url: "https://git.example/acme/web" },
  });
  collector.drift(
    {
      drifted: [{ kind: "changed", change: drifted, attributes: ["level"], declared: {} }],
      objects: [...objects(1), drifted],
      unchecked: [],
      scans: [],
      diagnostics: [],
    },
    { ignored: [], known: [] },
  );
  await collector.end();
  return found!;
}

test("commit, pipeline, service and time head a report", async () => {
  const report = await drift();
  expect(report.run).toEqual({
    commit: "c0ffee",
    pipeline: "https://ci.example/pipelines/7",
    services: ["https://git.example"],
  });
  expect(markdownReport(report)).toContain(
    "\non `https://git.example`, commit `c0ffee`, pipeline [`https://ci.example/pipelines/7`](https://ci.example/pipelines/7), 2026-01-31 00:00:00 UTC\n",
  );
  for (const fact of [
    "https://git.example",
    "c0ffee",
    'href="https://ci.example/pipelines/7"',
    "2026-01-31 00:00:00 UTC",
  ])
    expect(htmlReport(report)).toContain(fact);
  const xml = junitReport(report);
  expect(xml.replace(/\s*\n\s*/g, "")).toContain(
    '<properties><property name="service" value="https://git.example"/><property name="commit" value="c0ffee"/><property name="pipeline" value="https://ci.example/pipelines/7"/><property name="time" value="2026-01-31T00:00:00.000Z"/></properties>',
  );
  const schema = readFileSync(path.join(__dirname, "../../../docs/junit.xsd"), "utf8");
  const { errors } = await validateXML({
    xml: { fileName: "report.xml", contents: xml },
    schema: { fileName: "junit.xsd", contents: schema },
  });
  expect(errors).toEqual([]);
});

test("drift says in each format that it reads from applied to live, and what to do about it", async () => {
  const report = await drift();
  expect(markdownReport(report)).toContain("Differences are applied → live: `-` was applied, `+` is live.");
  expect(htmlReport(report)).toContain("Differences are applied → live");
  expect(junitReport(report)).toContain("applied -&gt; live:\n~ level = 30 -&gt; 40");
  for (const page of [markdownReport(report), htmlReport(report), junitReport(report)]) {
    expect(page).toContain("steward drift --repair --stack shop --target acme_thing.one");
    expect(page).toContain("steward drift --accept --stack shop --target acme_thing.one");
  }
  expect(markdownReport(report)).toContain('- {setting: "acme_thing.one", project: "acme/web",');
});

test("a run whose app throws still writes its reports, with the error", async () => {
  place.write("boom.js", "throw new Error();");
  const { code } = await place.run([
    "plan",
    "--app",
    "node boom.js",
    "--report",
    "boom.json",
    "--report",
    "boom.md",
  ]);
  expect(code).toBe(1);
  expect(place.read("boom.md")).toContain("❌ **The app failed**");
  expect(JSON.parse(place.read("boom.json"))).toMatchObject({ result: "failed" });
});
