import { readFileSync } from "node:fs";
import path from "node:path";
import { validateXML } from "xmllint-wasm";
import type { Report } from "../../../src/cli/document/model";
import { ReportCollector } from "../../../src/cli/reports/collector";
import { htmlReport } from "../../../src/cli/reports/formats/html";
import { jsonReport } from "../../../src/cli/reports/formats/json";
import { junitReport } from "../../../src/cli/reports/formats/junit";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { RunView } from "../../../src/cli/views/run-view";
import { change, objects } from "../support/models";
import { CONFIGURATION, usePlace } from "../support/place";

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
  const view = new RunView(collector);
  view.stack("shop", 1);
  const drifted = change({
    action: "update",
    before: { id: "7", level: 30 },
    after: { id: "7", level: 40 },
    container: { kind: "project", name: "acme/web", url: "https://git.example/acme/web" },
  });
  view.drift(
    {
      drifted: [{ kind: "changed", change: drifted, attributes: ["level"], declared: {} }],
      objects: [...objects(1), drifted],
      unchecked: [],
      scans: [],
      diagnostics: [],
    },
    { ignored: [], known: [] },
  );
  await view.end();
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

test("a report in JSON begins with the sentence and the totals that people read", async () => {
  const report = await drift();
  const written = JSON.parse(jsonReport(report)) as Report;
  expect(Object.keys(written).slice(0, 8)).toEqual([
    ...[
      "format_version",
      "steward_version",
      "command",
      "started_at",
      "finished_at",
      "run",
      "result",
      "summary",
    ],
  ]);
  expect(written.summary).toBe("Steward drift: 1 changed, 2 objects checked");
  expect(written.totals).toEqual({
    ...{ changed: 1, vanished: 0, unmanaged: 0, in_sync: 1 },
    ...{ failed: 0, unchecked: 0, not_started: 0 },
  });
});

test("a run that could read nothing says which service it asked, and names its objects for people", async () => {
  const { steward_protected_environment, steward_job_token_scope } = CONFIGURATION.resource;
  const production = { ...steward_protected_environment.production, project: "acme/shop" };
  const limit = { ...steward_job_token_scope.limit, project: "acme/shop" };
  const resource = { steward_job_token_scope: { limit }, steward_protected_environment: { production } };
  place.write("named/main.tf.json", { ...CONFIGURATION, data: {}, resource, output: {} });
  const here = ["--config", "named", "--report", "drift.md", "--report", "drift.xml"];
  await place.run(["apply", "--auto-approve", ...here.slice(0, 2)]);
  const names = () =>
    [...place.read("drift.xml").matchAll(/<testcase name="(acme.*?)"/g)].map(([, name]) => name);
  await place.run(["drift", ...here]);
  const known = names();
  expect(known).toEqual(["acme/shop · job token scope", "acme/shop · environment production"]);
  const { code } = await place.run(["drift", ...here], { STEWARD_TOKEN: "refused-token-0001" });
  expect({ code, names: names() }).toEqual({ code: 1, names: known });
  expect(place.read("drift.md")).toContain(`\non \`${place.service.url}\`, `);
  expect(place.read("drift.md")).not.toContain("### Drift");
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
