import type { Report, ReportObject } from "../../../../src/cli/document/model";
import { COMMENT_LIMIT, markdownReport } from "../../../../src/cli/reports/formats/markdown";
import { change, plan } from "../../support/models";
import { leaf } from "../support/large";
import { drifted, reportOf } from "../support/runs";

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
  test("lists what is left over from a replacement beside the object at the same address", async () => {
    const both = plan({
      changes: [
        change({ action: "update", before: { id: "2", level: 1 }, after: { id: "2", level: 2 } }),
        change({ action: "delete", deposed: "a1b2", before: { id: "1" }, after: null }),
      ],
    });
    const report = await reportOf("plan", (view) => {
      view.stack(undefined, 1);
      view.plan(both);
    });
    const text = markdownReport(report);
    expect(text).toContain("1 to update, 1 to destroy");
    expect(text).toContain("left over from a replacement: `a1b2`");
    expect(text).toContain("! level = 1 -> 2");
  });

  test("shows few diffs expanded, and collapses many with their length", async () => {
    expect(markdownReport(await withObjects(2, 20))).not.toContain("<details>");
    const many = markdownReport(await withObjects(20, 20));
    expect(many.match(/<details><summary>20 lines<\/summary>/g)).toHaveLength(20);
  });

  test("links each access change to the entries that it comes from, and names only what is linked", async () => {
    const { stacks, ...report } = await withObjects(3, 1);
    const changes = ["acme_thing.n0", "acme_thing.n2", "acme_thing.gone"];
    const entry = {
      project: "acme/web",
      gains: {},
      loses: {},
      rules: [],
      not_counted: [],
      text: "+1",
      changes,
    };
    const text = markdownReport({ ...report, stacks, access: [entry] }, COMMENT_LIMIT, "shop");
    const line = text.split("\n").find((one) => one.includes("+1"))!;
    expect(line).toBe(
      "- project `acme/web`: `+1`, by [`acme_thing.n0`](#shop-o1), [`acme_thing.n2`](#shop-o3)",
    );
    expect(text.match(/^- <a name=.*?`acme_thing.*?`/gm)).toEqual([
      '- <a name="shop-o1"></a>✏️ changed `acme_thing.n0`',
      '- <a name="shop-o3"></a>✏️ changed `acme_thing.n2`',
    ]);
  });

  test.each([
    ["a few diffs too long for a comment", 40, 2000],
    ["many objects", 30_000, 20],
  ])(
    "the report of %s stays within the platform's limit and counts omitted objects",
    async (_, count, lines) => {
      const text = markdownReport(await withObjects(count, lines));
      expect(Buffer.byteLength(text)).toBeLessThan(COMMENT_LIMIT);
      expect(text).toContain(`## Steward drift: ${count} changed`);
      const named = text.match(/`acme_thing\.n\d+`/g)!.length;
      if (named < count) expect(text).toContain(`${count - named} more objects: too many for a comment`);
      expect(text.match(/<details>/g)!.length).toBeLessThan(count);
    },
  );

  test("the report of a stack that could not be planned does not say that it has no changes", async () => {
    const { stacks, ...drift } = await drifted();
    const failed = {
      severity: "error" as const,
      code: "no_api",
      summary: "No API",
      detail: "At http://localhost.",
    };
    const stack = (name: string, diagnostics: (typeof failed)[]) => {
      const status = diagnostics.length === 0 ? ("unchanged" as const) : ("failed" as const);
      const object = { ...stacks[0]!.objects[0]!, action: undefined, status, diagnostics };
      return { ...stacks[0]!, name, objects: [object], ignored: [], known: 0, diagnostics: [] };
    };
    const report = { ...drift, command: "plan", result: "failed" } as const;
    const text = markdownReport({ ...report, stacks: [stack("web", []), stack("docs", [failed])] });
    expect(text).toContain("No changes in 1 stack: `web`\n");
    expect(text).toContain(
      "### `docs`: 0 to create, 0 to update, 0 to destroy, 1 object failed (incomplete: see the errors)\n",
    );
    expect(text).not.toContain("Steward plan: no changes");
  });

  test("shows a problem of several stacks once, and no heading for a stack of which nothing else is known", async () => {
    const { stacks, ...drift } = await drifted();
    const problem = (severity: "error" | "warning") => ({
      ...{ severity, code: "unauthorized", summary: `Some ${severity}`, detail: "d" },
    });
    const stack = (name: string) => {
      const status = "failed" as const;
      const object = { ...stacks[0]!.objects[0]!, attributes: [], status, diagnostics: [problem("error")] };
      return {
        ...stacks[0]!,
        name,
        objects: [object],
        ignored: [],
        known: 0,
        diagnostics: [problem("warning")],
      };
    };
    const report = { ...drift, result: "failed" as const, stacks: ["web", "docs", "shop"].map(stack) };
    const text = markdownReport(report);
    for (const once of ["Some error", "Some warning"]) expect(text.split(once)).toHaveLength(2);
    expect(text).toContain("\nNothing else in 3 stacks: `web`, `docs`, `shop`\n");
    expect(text).not.toContain("### `");
  });

  test("the report of a plan that only imports, moves and forgets counts these objects", async () => {
    const { stacks, ...drift } = await drifted();
    const object = (action: "import" | "move" | "forget", more: object = {}) =>
      ({ ...stacks[0]!.objects[0]!, action, status: "planned", ...more }) as ReportObject;
    const objects = [object("import"), object("move", { previous_address: "a.b" }), object("forget")];
    const report = { ...drift, command: "plan", result: "found" } as const;
    expect(markdownReport({ ...report, stacks: [{ ...stacks[0]!, objects }] })).toContain(
      "## Steward plan: 1 to import, 1 to move, 1 to forget, 0 to create, 0 to update, 0 to destroy\n",
    );
  });

  test.each([
    ["Accepted until the audit (2026).", "Accepted until the audit (2026)."],
    ["ask @admin", "`ask @admin`"],
    ["see https://evil.example", "`see https://evil.example`"],
    ["www.evil.example", "`www.evil.example`"],
    ["![](x) <b> &commat;all `x`", "`` ![](x) <b> &commat;all `x` ``"],
  ])("writes the reason %j as %s, without mentions, links or formatting", async (reason, expected) => {
    const { stacks, ...drift } = await drifted();
    const report = {
      ...drift,
      stacks: [{ ...stacks[0]!, ignored: [{ object: "acme_thing.one", reason }] }],
    };
    expect(markdownReport(report)).toContain(`\n- ignored \`acme_thing.one\`: ${expected}\n`);
  });

  test("accepts a lower limit", async () => {
    expect(Buffer.byteLength(markdownReport(await withObjects(50, 20), 2000))).toBeLessThan(2000);
  });
});
