import { describeDrift, describePlan } from "../../../src/cli/document/stack-parts";
import { PLAIN } from "../../../src/cli/printing/text";
import { jsonReport } from "../../../src/cli/reports/formats/json";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { renderDriftReport } from "../../../src/cli/views/drift";
import { renderPlan } from "../../../src/cli/views/plan";
import { type ResourceChange, UNKNOWN } from "../../../src/engine";
import { reportOf } from "../reports/support/runs";
import { change, plan } from "../support/models";
import { textOf } from "../support/text-of";

const inProject = (index: number, parts: Partial<ResourceChange> = {}) =>
  change({
    address: `acme_thing.limit["p${index}"]`,
    name: "limit",
    action: "create",
    position: "main.ts:17",
    container: { kind: "project", name: `acme/p${index}`, url: `https://acme.example/acme/p${index}` },
    before: null,
    after: { id: UNKNOWN, project: `acme/p${index}`, enabled: true, level: 30 },
    ...parts,
  });
const many = (count: number, parts?: Partial<ResourceChange>) =>
  Array.from({ length: count }, (_, index) => inProject(index + 1, parts));
const rendered = (changes: readonly ResourceChange[]) =>
  textOf(renderPlan(describePlan(plan({ changes })), PLAIN));

const reportOfPlan = (changes: readonly ResourceChange[]) =>
  reportOf("plan", (view) => {
    view.stack(undefined, 1);
    view.plan(plan({ changes }));
  });

describe("equal changes in several projects", () => {
  test("equal changes are one entry with the list of projects from five on", () => {
    expect(rendered(many(4))).not.toContain("objects");
    expect(rendered(many(5))).toContain(`
  # 5 objects acme_thing will be created
  # 5 projects: acme/p1, acme/p2, acme/p3, acme/p4, acme/p5
  # (main.ts:17)
  + resource "acme_thing" {
      + enabled = true
      + level   = 30
    }
`);
  });

  test("fit on a screen, however many they are", () => {
    const text = rendered(many(300));
    expect(text.split("\n").length).toBeLessThan(24);
    expect(text).toMatch(/ and \d+ more\n/);
  });

  test("stay apart where one differs in a value, is moved, or has no known project", () => {
    const [first, ...rest] = many(6);
    const { container: _, ...unplaced } = many(1)[0]!;
    for (const other of [
      inProject(9, { after: { ...first!.after, level: 40 } }),
      inProject(9, { previousAddress: "acme_thing.old" }),
      { ...unplaced, address: "acme_thing.unplaced" },
    ]) {
      const text = rendered([...rest, other]);
      expect(text).toContain("# 5 objects acme_thing will be created");
      expect(text).toContain(`# ${other.address} will be created`);
    }
  });

  test("equal changes are one entry in a drift report", () => {
    const drifted = many(5, {
      action: "update",
      before: { enabled: true },
      after: { enabled: false },
    }).map((one) => ({ kind: "changed" as const, change: one, attributes: ["enabled"], declared: {} }));
    const report = { drifted, objects: [], unchecked: [], scans: [], diagnostics: [] };
    expect(
      `\n${textOf(renderDriftReport(describeDrift(report, undefined), { ignored: [], known: [] }, PLAIN))}`,
    ).toContain(`
  # 5 objects acme_thing differ on the service (applied -> live)
  # 5 projects: acme/p1, acme/p2, acme/p3, acme/p4, acme/p5
  # (main.ts:17)
      ~ enabled = true -> false
`);
  });

  test("equal changes are one item of a Markdown report with links, and every object of a JSON report", async () => {
    const report = await reportOfPlan(many(5));
    expect(markdownReport(report)).toContain(
      "- ➕ create 5 × `acme_thing`  \n" +
        "  in 5 projects: [`acme/p1`](https://acme.example/acme/p1), [`acme/p2`](https://acme.example/acme/p2)",
    );
    expect(JSON.parse(jsonReport(report)).stacks[0].objects).toHaveLength(5);
    const large = await reportOfPlan(many(300));
    expect(markdownReport(large)).toContain("<details><summary>300 projects</summary>");
    expect(markdownReport(large)).toContain("acme/p300");
  });

  test("keep hostile names of projects on one line and without markup", async () => {
    const changes = many(5).map((one) => ({
      ...one,
      container: {
        kind: "project",
        name: "acme/`x`\n# [a](http://evil.example)",
        url: "https://a.example/)(",
      },
    }));
    expect(rendered(changes)).toContain("# 1 project: acme/`x`\\n# [a](http://evil.example)\n");
    const markdown = markdownReport(await reportOfPlan(changes));
    expect(markdown).toContain("in 1 project: ``acme/`x` # [a](http://evil.example)``\n");
  });
});
