import { readFileSync } from "node:fs";
import path from "node:path";
import type { Report, ReportObject, ReportStack } from "../../../src/cli/document/model";
import { fingerprintsIn } from "../../../src/cli/drift/finding";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { mergeReports } from "../../../src/cli/reports/merge";
import type { NamedReport } from "../../../src/cli/reports/merge-fit";
import { readReport, readWholeReport } from "../../../src/cli/reports/read-report";

const object = (address: string, more: Partial<ReportObject> = {}): ReportObject => ({
  address,
  type: "steward_job_token_scope",
  status: "in_sync",
  attributes: [],
  diagnostics: [],
  ...more,
});

const undeclared = (name: string): ReportObject =>
  object(name, { status: "unmanaged", container: "project 1" });

const stack = (
  name: string | null,
  objects: ReportObject[] = [],
  more: Partial<ReportStack> = {},
): ReportStack => ({
  name,
  objects,
  outputs: [],
  unchecked: 0,
  ignored: [],
  known: 0,
  known_fingerprints: [],
  diagnostics: [],
  ...more,
});

const report = (stacks: ReportStack[], more: Partial<Report> = {}): Report => ({
  format_version: "1.5",
  steward_version: "0.2.0",
  command: "drift",
  started_at: "2026-11-23T01:00:00.000Z",
  finished_at: "2026-11-23T01:01:00.000Z",
  result: "clean",
  stacks,
  ...more,
});

const shard = (number: number, of: number, of_stacks: number): Partial<Report> => ({
  limited_to: { shard: { number, of, of_stacks } },
});

function merge(...reports: Report[]): Report {
  const [first, ...others] = reports.map((one, at): NamedReport => ({ file: `${at + 1}.json`, report: one }));
  return mergeReports([first!, ...others]);
}

const at = (url: string) => object("a.b", { url });

describe("reports that are no parts of one run are refused:", () => {
  test.each<[string, Report, Report, string]>([
    ["two of one stack", report([stack("a")]), report([stack("a")]), 'both have the stack "a"'],
    [
      "two of a configuration without an app",
      report([stack(null, [object("x.y")])]),
      report([stack(null, [object("x.y")])]),
      "both have the configuration",
    ],
    ["a plan and drift", report([]), report([], { command: "plan" }), "The command of"],
    ["two releases", report([]), report([], { steward_version: "0.3.0" }), "The version of steward of"],
    ["two formats", report([]), report([], { format_version: "1.4" }), "The format version of"],
    [
      "two services",
      report([stack("a", [at("https://one.example/acme/shop")])]),
      report([stack("b", [at("https://two.example/acme/docs")])]),
      '"1.json" is about https://one.example, and "2.json" about https://two.example.',
    ],
    ["one shard twice", report([], shard(1, 2, 3)), report([], shard(1, 2, 3)), "are both of shard 1/2"],
    ["shards of different totals", report([], shard(1, 2, 3)), report([], shard(2, 3, 3)), "one of 3 of 3"],
    ["shards of different apps", report([], shard(1, 2, 3)), report([], shard(2, 2, 4)), "one of 2 of 4"],
    ["a shard and a whole run", report([], shard(1, 2, 3)), report([]), '"2.json" of none'],
    [
      "all shards, which lack a stack of the app",
      report([stack("a")], shard(1, 2, 3)),
      report([stack("b")], shard(2, 2, 3)),
      "The shards have 2 of the 3 stacks",
    ],
  ])("%s", (_, one, other, why) => {
    expect(() => merge(one, other)).toThrow(why);
  });
});

describe("a joined report", () => {
  test("a joined report has the worst result, the whole time and each stack in order", () => {
    const found = report([stack("b", [object("x.y", { status: "changed" })])], {
      result: "found",
      started_at: "2026-11-23T00:59:00.000Z",
      finished_at: "2026-11-23T01:05:00.000Z",
    });
    const joined = merge(found, report([stack("a")]));
    expect(joined).toMatchObject({
      result: "found",
      started_at: "2026-11-23T00:59:00.000Z",
      finished_at: "2026-11-23T01:05:00.000Z",
    });
    expect(joined.stacks.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(merge(joined, report([stack("c")], { result: "failed" })).result).toBe("failed");
  });

  test("lists an undeclared object once, and not if another job that searched there knows it", () => {
    const coverage = ["project 1"];
    const both = undeclared("rule 1");
    const one = report([stack("a", [both, undeclared("rule 2")])], { coverage, result: "found" });
    const other = report([stack("b", [both])], { coverage, result: "found" });
    const elsewhere = report([stack("c")], { coverage: ["project 2"] });
    const joined = merge(one, other, elsewhere);
    expect(joined.stacks.at(-1)).toMatchObject({ name: "unmanaged", objects: [both] });
    expect(joined.stacks.flatMap(({ objects }) => objects)).toHaveLength(1);
    expect(joined.coverage).toEqual(["project 1", "project 2"]);
    const declared = merge(one, report([stack("b")], { coverage }));
    expect(declared).toMatchObject({ result: "clean", stacks: [{ name: "a", objects: [] }, { name: "b" }] });
  });

  test("keeps what a job reported before its first stack, and is failed without a shard", () => {
    const problem = {
      severity: "error",
      code: "app_failed",
      summary: "App failed",
      detail: "It did.",
    } as const;
    const joined = merge(
      report([stack(null, [], { diagnostics: [problem] })], { result: "failed", ...shard(1, 3, 2) }),
      report([stack("b")], shard(3, 3, 2)),
    );
    expect(joined.result).toBe("failed");
    expect(joined.stacks.map(({ name, diagnostics }) => [name, diagnostics.map(({ code }) => code)])).toEqual(
      [
        [null, ["shard_missing"]],
        [null, ["app_failed"]],
        ["b", []],
      ],
    );
  });

  test("names each right once, and says that jobs don't count what they change together", () => {
    const plan = { command: "plan" } as const;
    const place = (name: string) => ({
      stack: name,
      project: "acme/shop",
      gains: { deploy: [name] },
      loses: {},
      rules: [],
      not_counted: [],
      text: "",
    });
    const right = (name: string) => ({ stack: name, scope: "api", has: true });
    const joined = merge(
      report([stack("a")], { ...plan, access: [place("a")], rights: [right("a")] }),
      report([stack("b")], { ...plan, access: [place("b")], rights: [right("b")] }),
    );
    expect(joined.rights).toEqual([{ stacks: ["a", "b"], scope: "api", has: true }]);
    const together = {
      what: "the joint effect of the stacks a, b",
      why: "each stack is compared on its own",
    };
    expect(joined.access).toMatchObject([
      {
        stacks: ["a", "b"],
        gains: { deploy: ["a", "b"] },
        not_counted: [together],
        text: "+ can deploy (a, b)",
      },
    ]);
  });
});

describe("a file is read", () => {
  const read = (value: unknown) => readWholeReport(JSON.stringify(value));

  test("in every version of the format, whole", () => {
    const whole = report([stack("a", [object("x.y")])], shard(1, 2, 3));
    expect(read(whole)).toEqual(whole);
    const { ignored: _, known_fingerprints: _known, outputs: _outputs, ...early } = stack("a");
    expect(read({ ...report([]), format_version: "1.0", stacks: [early] }).stacks).toEqual([stack("a")]);
  });

  test("a report of format 1.6 gets its differences from the values of its attributes", () => {
    const early = (name: string) => readFileSync(path.join(__dirname, "reports-1.6", `${name}.json`), "utf8");
    const plan = markdownReport(
      mergeReports([{ file: "plan.json", report: readWholeReport(early("plan")) }]),
    );
    expect(plan).toContain("! enabled = true -> false\n");
    expect(plan).toMatch(/! targets = \[\n {2}- +"a",/);
    expect(plan).toContain("+ secret  = (sensitive value)\n");
    expect(plan).not.toMatch(/undefined|null ->/);
    const drift = readWholeReport(early("drift"));
    expect(markdownReport(drift)).toContain("now declared: targets = ");
    expect(drift.stacks[0]!.objects.map(({ fingerprint }) => fingerprint)).toContain("59c5f5ad56b640a0090d");
    expect(readReport(early("apply")).command).toBe("apply");
    const folder = path.join(__dirname, "reports-1.6");
    expect(fingerprintsIn("drift.json", folder)).toContain("59c5f5ad56b640a0090d");
  });

  test("a report of format 1.7 is read whole, with the trees of its differences", () => {
    const folder = path.join(__dirname, "reports-1.7");
    for (const name of ["plan", "drift"]) {
      const text = readFileSync(path.join(folder, `${name}.json`), "utf8");
      const written = JSON.parse(text);
      const { stacks } = mergeReports([{ file: name, report: readWholeReport(text) }]);
      const differences = (all: typeof stacks) =>
        new Map(
          all.flatMap(({ objects }) =>
            objects.map(
              ({ address, attributes }) => [address, attributes.map((one) => one.difference)] as const,
            ),
          ),
        );
      expect(differences(stacks).size).toBeGreaterThan(3);
      expect(differences(stacks)).toEqual(differences(written.stacks));
      expect(readReport(text).command).toBe(name);
    }
    expect(fingerprintsIn("drift.json", folder).size).toBeGreaterThan(0);
  });

  test.each([
    [{ ...report([]), format_version: "1.99" }, "later than"],
    [{ ...report([]), format_version: "2.0" }, "not 1.x"],
    [{ ...report([]), started_at: "yesterday" }, "started_at is not a time"],
    [{ ...report([]), stacks: [{ name: 7 }] }, "damaged at stacks.0.name"],
    [{ create: 1 }, "not a report of steward"],
    [[], "not a report of steward"],
  ])("unless it is no report that this release knows: %j", (value, why) => {
    expect(() => read(value)).toThrow(why);
  });
});
