import type { Report, ReportDiagnostic, ReportObject } from "../../../src/cli/document/model";
import { Causes } from "../../../src/cli/reports/causes";
import { htmlReport } from "../../../src/cli/reports/formats/html";
import { junitReport } from "../../../src/cli/reports/formats/junit";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";

// A token that the service refuses fails every object: whoever reads a report wants to read that once.

const refused = (index: number): ReportDiagnostic => ({
  severity: "error",
  code: "unauthorized",
  summary: "The service refuses the token (401).",
  detail: `request ${index}`,
  address: `acme_thing.n${index}`,
  cause: "error unauthorized ",
});
const failed = (index: number): ReportObject => ({
  address: `acme_thing.n${index}`,
  type: "acme_thing",
  status: "failed",
  unchecked: true,
  attributes: [],
  diagnostics: [refused(index)],
});
const stack = (name: string, objects: ReportObject[]): Report["stacks"][number] => ({
  name,
  objects,
  outputs: [],
  unchecked: objects.length,
  ignored: [],
  known: 0,
  known_fingerprints: [],
  diagnostics: [],
});
const report: Report = {
  format_version: "1.6",
  steward_version: "1.0.0",
  command: "drift",
  started_at: "2026-11-24T08:00:00.000Z",
  finished_at: "2026-11-24T08:00:01.000Z",
  result: "failed",
  stacks: [
    stack(
      "web",
      Array.from({ length: 40 }, (_, index) => failed(index)),
    ),
    stack(
      "base",
      Array.from({ length: 41 }, (_, index) => failed(100 + index)),
    ),
  ],
};
const occurrences = (text: string): number => text.split("The service refuses the token").length - 1;

test("a report has one cause for 81 objects of two stacks", () => {
  const [cause, ...others] = new Causes(report).all;
  expect(others).toEqual([]);
  expect([cause!.objects.length, [...cause!.stacks.keys()]]).toEqual([81, ["web", "base"]]);
});

test("Markdown reports the cause once, before the stacks, with all objects", () => {
  const text = markdownReport(report);
  expect(occurrences(text)).toBe(1);
  expect(text.indexOf("The service refuses")).toBeLessThan(text.indexOf("2 stacks: 2 failed."));
  expect(text).toContain("81 objects");
  expect(text).toContain("`acme_thing.n140`");
});

test("the page has one card for the cause, and no entry for an object of which nothing else is known", () => {
  const page = htmlReport(report);
  expect(occurrences(page)).toBe(1);
  expect(page).not.toContain('<details class="change"');
  expect(page).toContain("acme_thing.n140");
});

test("JUnit has one error for the cause, in the first suite, and the objects are skipped", () => {
  const text = junitReport(report);
  expect(text).toContain('tests="82" failures="0" errors="1" skipped="81"');
  expect(text.match(/<testsuite name="[^"]*"/g)).toEqual([
    '<testsuite name="errors"',
    '<testsuite name="web"',
    '<testsuite name="base"',
  ]);
  expect(text).toContain("base: acme_thing.n140");
});
