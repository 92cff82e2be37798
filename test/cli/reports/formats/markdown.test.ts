import type { Report, ReportObject } from "../../../../src/cli/document/model";
import { COMMENT_LIMIT, markdownReport } from "../../../../src/cli/reports/formats/markdown";
import { leaf } from "../support/large";
import { drifted } from "../support/runs";

const withObjects = async (count: number, lines: number): Promise<Report> => {
  const report = await drifted();
  const attributes = Array.from({ length: lines }, (_, line) => leaf(`attribute_${line}`, "~", '"äöü"'));
  const objects = Array.from(
    { length: count },
    (_, index): ReportObject => ({
      ...report.stacks[0]!.objects[1]!,
      address: `acme_thing.n${index}`,
      attributes,
    }),
  );
  return { ...report, stacks: [{ ...report.stacks[0]!, objects }] };
};

describe("a Markdown report", () => {
  test.each([
    ["a few diffs too long for a comment", 40, 2000],
    ["many objects", 30_000, 20],
  ])(
    "the report of %s is shorter than the limit for comments, and counts omitted objects",
    async (_, count, lines) => {
      const text = markdownReport(await withObjects(count, lines));
      expect(Buffer.byteLength(text)).toBeLessThan(COMMENT_LIMIT);
      expect(text).toContain(`## Steward drift: ${count} changed`);
      const named = text.match(/`acme_thing\.n\d+`/g)!.length;
      if (named < count) expect(text).toContain(`${count - named} more objects: too many for a comment`);
      expect(text.match(/<details>/g)!.length).toBeLessThan(count);
    },
  );

  test("30 warnings with the same code and summary share one foldable block", async () => {
    const report = await drifted();
    const problem = (severity: "warning" | "error", at: number) => ({
      ...{ severity, code: "archived_project", summary: "Skipped" },
      detail: `acme/p${at} is archived.`,
    });
    const diagnostics = [
      ...Array.from({ length: 30 }, (_, at) => problem("warning", at)),
      problem("error", 30),
      problem("error", 31),
    ];
    const text = markdownReport({ ...report, stacks: [{ ...report.stacks[0]!, diagnostics }] });
    expect(text.match(/⚠️ \*\*Skipped\*\* \(`archived_project`\)/g)).toHaveLength(1);
    expect(text.match(/❌ \*\*Skipped\*\*/g)).toHaveLength(2);
    expect(text).toContain(
      "<details><summary>30 warnings</summary>\n\n```text\nacme/p0 is archived.\n\nacme/p1 is archived.\n",
    );
    expect(text.match(/acme\/p\d+ is archived/g)).toHaveLength(32);
  });

  test("a Markdown report never has two empty lines in a row, even without access changes", async () => {
    const entry = {
      ...{ project: "acme/web", text: "Ada can deploy", rules: [], not_counted: [] },
      ...{ gains: { deploy: ["Ada"] }, loses: {} },
    };
    for (const access of [[], [entry]]) {
      const text = markdownReport({ ...(await withObjects(2, 2)), access });
      expect(text).toContain("\n### Access\n\n");
      expect(text).not.toContain("\n\n\n");
    }
  });

  test.each([
    ["one stack", ["web"], "stack `web`, in 9 projects, 🔓 **loosens**"],
    ["several stacks", ["web", "tools", "docs"], "3 stacks, in 9 projects, 🔓 **loosens**"],
    ["a configuration without stacks", [], "in 9 projects, 🔓 **loosens**"],
  ])("equal access changes in nine projects of %s become one entry", async (_, stacks, line) => {
    const access = Array.from({ length: 9 }, (_, index) => ({
      ...(stacks.length > 0 && { stack: stacks[index % stacks.length]! }),
      ...{ project: `acme/service-${index}`, text: "+1 can deploy (ada)", rules: [], not_counted: [] },
      ...{ gains: { deploy: ["ada"] }, loses: {} },
    }));
    expect(markdownReport({ ...(await withObjects(2, 2)), access })).toContain(`\n${line}\n`);
  });

  test("a Markdown report stays below the caller's limit of 2,000 bytes", async () => {
    expect(Buffer.byteLength(markdownReport(await withObjects(50, 20), 2000))).toBeLessThan(2000);
  });
});
