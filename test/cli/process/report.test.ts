import { writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import type { Report } from "../../../src/cli/reports/model";
import { runs, seed } from "../../support/capabilities";
import { damaged, damages } from "../../support/damage";
import { HOSTILE, obeyedLines, takenLines } from "../../support/hostile";
import { runInProcess } from "../support/in-process";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

jest.setTimeout(runs(120_000, 3_600_000));

const place = usePlace("all");

const HERE = ["--config", "."];
const SECRET = "hunter2-hunter2";

type Masks = Partial<Record<"after_unknown" | "before_sensitive" | "after_sensitive", unknown>>;

/** An entry of `resource_changes`, as Terraform writes it for any provider. */
const change = (
  name: string,
  actions: readonly string[],
  before: unknown,
  after: unknown,
  more: Masks = {},
) => ({
  address: `acme_thing.${name}`,
  mode: "managed",
  type: "acme_thing",
  name,
  provider_name: "registry.example/acme/acme",
  change: {
    actions,
    before,
    after,
    after_unknown: {},
    before_sensitive: before === null ? false : {},
    after_sensitive: after === null ? false : {},
    ...more,
  },
});

const planJson = (changes: readonly object[], more: object = {}) => ({
  format_version: "1.4",
  terraform_version: "1.11.4",
  planned_values: { root_module: {} },
  resource_changes: changes,
  configuration: { root_module: {} },
  timestamp: "2026-11-22T00:00:00Z",
  applyable: changes.length > 0,
  complete: true,
  errored: false,
  ...more,
});

/** Runs the command on a plan and returns its output with the JSON report. */
async function report(json: unknown, ...options: string[]) {
  place.write("plan.json", json);
  const ended = await place.run(["report", "--plan-json", "plan.json", "--report", "r.json", ...options]);
  return { ...ended, report: JSON.parse(place.read("r.json")) as Report };
}

describe("a plan of the embedded engine as JSON", () => {
  /** The report of a plan without times and constructs, which Terraform's JSON does not have. */
  const comparable = ({ started_at: _started, finished_at: _finished, stacks, ...rest }: Report) => ({
    ...rest,
    stacks: stacks.map((stack) => ({
      ...stack,
      objects: stack.objects.map(({ construct: _, url: __, ...object }) => object),
    })),
  });

  /** Plans, and compares its report with the report of the plan's JSON. */
  async function expectSameReport(mode: readonly string[] = []): Promise<Report> {
    await place.run(["plan", ...HERE, ...mode, "--out", "saved.plan", "--report", "own.json"]);
    const shown = await place.run(["show", "--json", "saved.plan"]);
    const { report: theirs } = await report(shown.out);
    const own = JSON.parse(place.read("own.json")) as Report;
    expect(comparable(theirs)).toEqual(comparable(own));
    return theirs;
  }

  test("gives the same report as the plan itself", async () => {
    // The live values that new settings replace have no place in Terraform's JSON.
    expect((await expectSameReport(["--refresh=false"])).result).toBe("found");
    await place.run(["apply", "--auto-approve", ...HERE]);
    expect((await expectSameReport()).result).toBe("clean");
    await place.byHand("PATCH", "/projects/acme%2Fshop/job_token_scope", { enabled: false });
    await expectSameReport();
    await expectSameReport(["--refresh-only"]);
    const less = structuredClone(CONFIGURATION) as { resource: Record<string, object>; output?: object };
    delete less.resource["steward_protected_environment"];
    delete less.output;
    place.write("main.tf.json", less);
    await expectSameReport();
    place.write("main.tf.json", CONFIGURATION);
    await expectSameReport(["--destroy"]);
    await expectSameReport(["--replace", "steward_protected_environment.production"]);
  });
});

describe("a plan with objects of other providers", () => {
  test("a plan with objects of other providers is shown and counted without their schemas, in all report formats", async () => {
    const json = planJson([
      change(
        "made",
        ["create"],
        null,
        { name: "new" },
        { after_unknown: { id: true, parts: [false, true] } },
      ),
      change("kept", ["no-op"], { id: "1" }, { id: "1" }),
      change("gone", ["delete"], { id: "2" }, null),
      change(
        "again",
        ["delete", "create"],
        { id: "3", size: 1 },
        { size: 2 },
        { after_unknown: { id: true } },
      ),
      change("left", ["forget"], { id: "4" }, null),
    ]);
    const formats = ["r.md", "r.xml", "r.widget.json"].flatMap((file) => ["--report", file]);
    const { code, out, report: written } = await report(json, ...formats, "--detailed-exitcode");
    expect(code).toBe(2);
    expect(out).toContain("Plan: 2 to add, 0 to change, 2 to destroy.");
    expect(out).toContain("# acme_thing.again must be replaced");
    expect(out).toContain("Terraform or OpenTofu will perform the following actions:");
    expect(JSON.parse(place.read("r.widget.json"))).toEqual({ create: 2, update: 0, delete: 2 });
    expect(place.read("r.md")).toContain("2 to create, 0 to update, 2 to delete");
    expect(place.read("r.xml")).toContain('tests="5"');
    const [stack] = written.stacks;
    expect(stack!.objects.map(({ address, action }) => [address, action])).toEqual([
      ["acme_thing.again", "replace"],
      ["acme_thing.gone", "delete"],
      ["acme_thing.kept", "no-op"],
      ["acme_thing.left", "forget"],
      ["acme_thing.made", "create"],
    ]);
  });

  test("a plan with objects of other providers never shows values that Terraform marks as sensitive", async () => {
    const values = { a: SECRET, b: { c: SECRET, d: "shown" }, e: ["one", SECRET], f: [{ g: SECRET }] };
    const marks = { a: true, b: { c: true }, e: [false, true], f: [{ g: true }] };
    const json = planJson(
      [
        change(
          "one",
          ["update"],
          values,
          { ...values, a: `${SECRET}2`, b: { c: `${SECRET}2`, d: "other" } },
          {
            before_sensitive: marks,
            after_sensitive: marks,
          },
        ),
        change("two", ["create"], null, { x: SECRET }, { after_sensitive: true }),
        change(
          "three",
          ["update"],
          { s: ["b", SECRET] },
          { s: [SECRET, "a", "b"] },
          {
            before_sensitive: { s: [false, true] },
            after_sensitive: { s: [true, false, false] },
          },
        ),
        change("four", ["delete"], { id: `1:${SECRET}`, name: SECRET }, null, {
          before_sensitive: { name: true },
        }),
      ],
      {
        variables: { secret: { value: SECRET } },
        output_changes: {
          o: { actions: ["create"], before: null, after: { p: SECRET }, after_sensitive: { p: true } },
        },
      },
    );
    for (const format of [[], ["--json"]]) {
      const {
        out,
        err,
        report: written,
      } = await report(json, "--report", "r.md", "--report", "r.xml", ...format);
      const all = [out, err, JSON.stringify(written), place.read("r.md"), place.read("r.xml")].join("\n");
      expect(all).not.toContain(SECRET);
      expect(all).toContain("acme_thing.one");
      expect(all).toContain("shown");
    }
  });

  test("a plan with objects of other providers never shows the token, even where it holds it in clear", async () => {
    const json = planJson([change("one", ["create"], null, { note: `with ${TOKENS.maintainer}` })]);
    for (const format of [[], ["--json"]]) {
      const { out, err } = await report(json, "--report", "r.md", "--report", "r.xml", ...format);
      const all = [out, err, ...["r.json", "r.md", "r.xml"].map((file) => place.read(file))].join("\n");
      expect(all).toContain("acme_thing.one");
      expect(all).not.toContain(TOKENS.maintainer);
    }
  });

  test("stays on its lines with hostile names, values and messages", async () => {
    const json = planJson(
      [
        {
          ...change(HOSTILE, ["create"], null, { [HOSTILE]: HOSTILE }),
          type: HOSTILE,
          provider_name: HOSTILE,
        },
      ],
      {
        output_changes: { [HOSTILE]: { actions: ["create"], before: null, after: HOSTILE } },
        checks: [
          {
            address: { kind: "check", to_display: `check.${HOSTILE}` },
            status: "fail",
            instances: [
              {
                address: { to_display: HOSTILE },
                status: "fail",
                problems: [{ message: `The name is ${HOSTILE}` }],
              },
            ],
          },
        ],
      },
    );
    for (const format of [[], ["--json"]]) {
      const { out, err } = await report(json, "--report", "r.md", "--report", "r.xml", ...format);
      for (const text of [out, err, place.read("r.md"), place.read("r.xml"), place.read("r.json")])
        expect(takenLines(text)).toEqual([]);
    }
  });
});

describe("the exit code", () => {
  const two = [
    change("gone", ["delete"], { id: "1" }, null),
    change("again", ["create", "delete"], { id: "2" }, { id: "3" }),
  ];

  test.each([
    ["without options is 0 for a plan with changes", two, {}, [], 0],
    ["with --detailed-exitcode is 2 for a plan with changes", two, {}, ["--detailed-exitcode"], 2],
    ["with --detailed-exitcode is 0 for a plan without changes", [], {}, ["--detailed-exitcode"], 0],
    ["is 1 above --max-deletes, which counts replacements", two, {}, ["--max-deletes", "1"], 1],
    ["is 1 above --max-changes", two, {}, ["--max-changes", "1"], 1],
    ["is 0 within the limits", two, {}, ["--max-deletes", "2", "--max-changes", "2"], 0],
    ["is 1 for a plan with an error", two, { errored: true }, [], 1],
  ])("%s", async (_, changes, more, options, expected) => {
    const { code, err, report: written } = await report(planJson(changes, more), ...options);
    expect(code).toBe(expected);
    expect(written.result).toBe(expected === 1 ? "failed" : changes.length > 0 ? "found" : "clean");
    if (options[0]?.startsWith("--max") && expected === 1) expect(err).toContain("More changes than allowed");
  });

  test.each([
    ["a check block warns", "check", 0, "Warning: Check block assertion failed"],
    ["a condition of a resource fails", "resource", 1, "Error: Resource condition failed"],
  ])("if %s", async (_, kind, expected, message) => {
    const checks = [
      {
        address: { kind, to_display: "acme_thing.gone" },
        status: "fail",
        instances: [
          { address: { to_display: "acme_thing.gone" }, status: "fail", problems: [{ message: "Too few." }] },
        ],
      },
    ];
    const { code, err } = await report(planJson(two, { checks }));
    expect(code).toBe(expected);
    expect(err).toContain(message);
    expect(err).toContain("Too few.");
  });
});

describe("input that is not a plan is an error that says what to provide", () => {
  const errorOf = async (content: unknown) => {
    place.write("odd.json", content);
    const { code, out, err } = await place.run([
      "report",
      "--plan-json",
      "odd.json",
      "--report",
      "none.json",
    ]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    return err;
  };

  test("such as text, a state, a newer format or another object", async () => {
    expect(await errorOf("Terraform will perform")).toContain("it is not JSON at line 1");
    expect(await errorOf({ format_version: "1.0", values: {} })).toContain(
      "it has no planned values, and may be a state",
    );
    expect(await errorOf({ ...planJson([]), format_version: "2.0" })).toContain(
      "format_version: Unknown version",
    );
    const odd = planJson([{ ...change("a", ["launch"], null, null) }]);
    expect(await errorOf(odd)).toContain("resource_changes.0.change.actions: Unknown actions");
    expect(await errorOf(odd)).toContain("terraform show -json FILE");
  });

  test("such as a missing file", async () => {
    const { code, err } = await place.run(["report", "--plan-json", "nowhere.json"]);
    expect(code).toBe(1);
    expect(err).toContain("nowhere.json can't be read");
  });

  test("a plan is read from standard input with -", async () => {
    const input = JSON.stringify(planJson([change("gone", ["delete"], { id: "1" }, null)]));
    const ended = await runInProcess(["report", "--plan-json", "-"], { folder: place.folder, input });
    expect(ended.out).toContain("Plan: 0 to add, 0 to change, 1 to destroy.");
  });

  test("damaged plans end with an error or a report, never with an internal error", async () => {
    const values = {
      id: "1",
      project: "1",
      name: SECRET,
      list: [SECRET],
      deploy_access_levels: [{ access_level: 40 }],
    };
    const marks = { name: true, list: [true] };
    const own = {
      ...change(
        "production",
        ["update"],
        values,
        { ...values, project: "2" },
        {
          before_sensitive: marks,
          after_sensitive: marks,
        },
      ),
      type: "steward_protected_environment",
      provider_name: "registry.steward.example/steward/steward",
    };
    const text = JSON.stringify(planJson([own, change("made", ["create"], null, { name: "new" })]));
    await fc.assert(
      fc.asyncProperty(damages, async (damage) => {
        writeFileSync(path.join(place.folder, "damaged.json"), damaged(Buffer.from(text), damage));
        const { code, out, err } = await place.run(["report", "--plan-json", "damaged.json"]);
        expect(err).not.toMatch(/Fault of steward|TypeError|RangeError/);
        if (code === 1) expect(err).toMatch(/Error: /);
        expect(obeyedLines(out + err)).toEqual([]);
      }),
      { numRuns: runs(60, 2000), seed },
    );
  });
});
