import { readFileSync } from "node:fs";
import path from "node:path";
import {
  FORMAT_VERSION,
  type Report,
  type ReportAttribute,
  type ReportObject,
  type ReportStack,
} from "../../../src/cli/document/model";
import { fingerprintsIn } from "../../../src/cli/findings/finding";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { mergeReports } from "../../../src/cli/reports/merge";
import { readReport, readWholeReport } from "../../../src/cli/reports/read-report";

const object = (address: string, more: Partial<ReportObject> = {}): ReportObject => ({
  address,
  type: "steward_job_token_scope",
  status: "in_sync",
  attributes: [],
  diagnostics: [],
  ...more,
});

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

const OWN_MINOR = Number(FORMAT_VERSION.split(".")[1]);

describe("reading a report file", () => {
  const read = (value: unknown) => readWholeReport(JSON.stringify(value));

  test("Steward reads a report file without losing a value", () => {
    const whole = report([stack("a", [object("x.y")])], shard(1, 2, 3));
    expect(read(whole)).toEqual(whole);
    const { ignored: _, known_fingerprints: _known, outputs: _outputs, ...early } = stack("a");
    expect(read({ ...report([]), format_version: "1.0", stacks: [early] }).stacks).toEqual([stack("a")]);
  });

  test("for a report in format 1.6, Steward computes the differences from the old and new attribute values", () => {
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

  test.each([
    ["1.7", "reports-1.7", true],
    ["1.8", "../outputs/fixtures/of-0.2.0", false],
    ["1.9", "reports-1.9", true],
    ["1.10", "reports-1.10", true],
  ])(
    "from a report of format %s, Steward reads the differences that the file contains",
    (version, name, hasDrift) => {
      const folder = path.join(__dirname, name);
      for (const name of ["plan", "drift"]) {
        const text = readFileSync(path.join(folder, `${name}.json`), "utf8");
        const written = JSON.parse(text);
        expect(written.format_version).toBe(version);
        const { stacks } = mergeReports([{ file: name, report: readWholeReport(text) }]);
        const differences = (all: typeof stacks) =>
          all.flatMap(({ objects }) =>
            objects.flatMap(({ attributes }) => attributes.map((one) => one.difference)),
          );
        // The order of the differences is not compared, because undeclared objects come last in a merged report.
        const [read, expected] = [differences(stacks), differences(written.stacks)];
        expect(read).toHaveLength(expected.length);
        expect(read).toEqual(expect.arrayContaining(expected));
        expect(readReport(text).command).toBe(name);
      }
      expect(fingerprintsIn("drift.json", folder).size > 0).toBe(hasDrift);
    },
  );

  const attribute = {
    name: "labels",
    sensitive: false,
    difference: { mark: "~", kind: "fields", fields: [], unchanged: 0 },
  } as const;
  const valuesIn = (format_version: string, values: Partial<ReportAttribute>) => {
    const objects = [object("x.y", { attributes: [{ ...attribute, ...values }] })];
    const { stacks } = read({ ...report([stack("a", objects, { outside: objects })]), format_version });
    expect(stacks[0]!.outside![0]!.attributes).toEqual(stacks[0]!.objects[0]!.attributes);
    return stacks[0]!.objects[0]!.attributes[0];
  };

  test("the reader escapes keys that start with $ in the values of reports before format 1.10", () => {
    const values = (key: string) => ({
      before: { [key]: 1 },
      after: [{ [key]: true }],
      live: { [key]: 2 },
      declared: { [key]: 3 },
      changed_outside: { applied: { [key]: 4 }, live: { [key]: 5 } },
    });
    expect(valuesIn("1.9", values("$unknown"))).toEqual({ ...attribute, ...values("$$unknown") });
    expect(valuesIn("1.10", values("$$unknown"))).toEqual({ ...attribute, ...values("$$unknown") });
  });

  test("in a report of format 1.10, a value with an unknown part is read without loss", () => {
    const values = { after: ["a", { $unknown: true }], unknown: true };
    expect(valuesIn("1.10", values)).toEqual({ ...attribute, ...values });
  });

  test("format 1.10 is later than format 1.9", () => {
    expect(OWN_MINOR).toBeGreaterThan(9);
    for (const minor of [2, 9, 10]) {
      const text = JSON.stringify({ ...report([]), format_version: `1.${minor}` });
      expect(readWholeReport(text).format_version).toBe(`1.${minor}`);
      expect(readReport(text).hasScope).toBe(minor >= 4);
    }
    expect(() => read({ ...report([]), format_version: `1.${OWN_MINOR + 1}` })).toThrow("later than 1.10");
  });

  test.each([
    [{ ...report([]), format_version: "1.99" }, "later than"],
    [{ ...report([]), format_version: "2.0" }, "not 1.x"],
    [{ ...report([]), started_at: "yesterday" }, "started_at is not a time"],
    [{ ...report([]), stacks: [{ name: 7 }] }, "damaged at stacks.0.name"],
    [{ create: 1 }, "not a report of Steward"],
    [[], "not a report of Steward"],
  ])("Steward refuses a file that is not a valid report of a known format: %j", (value, why) => {
    expect(() => read(value)).toThrow(why);
  });
});
