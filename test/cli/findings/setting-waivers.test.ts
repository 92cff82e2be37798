import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { driftFinding, unmanagedFinding } from "../../../src/cli/findings/finding";
import { SettingWaivers } from "../../../src/cli/findings/waivers";
import { ATTRIBUTES, change } from "../support/models";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-ignore-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TODAY = new Date("2026-06-15T23:59:59Z");
const read = (text: string): SettingWaivers => {
  writeFileSync(path.join(folder, "ignore.yaml"), text);
  return new SettingWaivers(["ignore.yaml"], folder, TODAY);
};

const drifted = {
  kind: "changed",
  change: change({ address: 'acme_thing.people["ana"]', action: "update", before: {}, after: {} }),
  attributes: ["level"],
  declared: {},
} as const;
const changed = driftFinding(drifted);
const unmanaged = unmanagedFinding({
  ...{ type: "acme_thing", id: "42:x.y", container: "project 42", live: {}, attributes: ATTRIBUTES },
});

describe("an ignore file", () => {
  test.each([
    ['acme_thing.people["ana"]', true],
    ["acme_thing.people*", true],
    ["*", true],
    ["acme_thing.people", false],
    ["acme_thing.people[*ana*]", true],
    ["acme_thingXpeople*", false],
  ])('the pattern %s of an ignore file matches the object acme_thing.people["ana"]: %s', (object, isMet) => {
    const file = read(`- object: '${object}'\n  reason: why\n`);
    expect(file.reasonFor(changed)).toBe(isMet ? "why" : undefined);
  });

  test("an entry of an ignore file can select undeclared objects by type and id", () => {
    expect(read("- {object: 'acme_thing 42:*', reason: why}").reasonFor(unmanaged)).toBe("why");
    expect(read("- {object: 'acme_thing 43:*', reason: why}").reasonFor(unmanaged)).toBeUndefined();
  });

  test("an entry of an ignore file can be limited to one kind of drift or one attribute", () => {
    expect(read("- {object: '*', kind: vanished, reason: why}").reasonFor(changed)).toBeUndefined();
    const file = read("- {object: '*', attribute: level, reason: why}");
    expect(file.reasonFor(changed)).toBeUndefined();
    expect(file.reasonFor(changed, "level")).toBe("why");
    expect(file.reasonFor(changed, "steps")).toBeUndefined();
  });

  test("Steward warns about an ignore entry with a mistyped object or attribute", () => {
    const unmatched = (entry: string, coverage = true) => {
      const file = read(`- {object: ${entry}, reason: why}`);
      file.saw([
        { name: "acme_thing.one", attributes: ATTRIBUTES },
        { name: "acme_thing 42:x", attributes: ATTRIBUTES },
      ]);
      return file.unmatched({ coverage }).map(({ severity, code }) => `${severity} ${code}`);
    };
    const expected = ["warning ignore_unmatched"];
    expect(unmatched("acme_thing.one")).toEqual([]);
    expect(unmatched("acme_thing.o*")).toEqual([]);
    expect(unmatched("acme_thing.two")).toEqual(expected);
    expect(unmatched("acme_thing.one, attribute: level")).toEqual([]);
    expect(unmatched("acme_thing.one, attribute: levle")).toEqual(expected);
    expect(unmatched("'acme_thing 42:x'")).toEqual([]);
    expect(unmatched("'acme_thing 42:y'")).toEqual(expected);
    expect(unmatched("'acme_thing 42:y'", false)).toEqual([]);
    expect(unmatched("'acme_thing 43:*', kind: unmanaged")).toEqual([]);
  });

  test("an ignore entry applies until the end of the day in `expires`", () => {
    const until = (day: string) => read(`- {object: '*', reason: the move, expires: ${day}}`);
    expect(until("2026-06-15").reasonFor(changed)).toBe("the move");
    const over = until("2026-06-14");
    expect(over.reasonFor(changed)).toBeUndefined();
    expect(over.warnings).toMatchObject([
      { code: "ignore_file_outdated" },
      { severity: "warning", code: "ignore_expired", detail: expect.stringContaining("the move") },
    ]);
  });

  const waiver = (more: string) =>
    read(
      `- {setting: acme_thing.people*, project: acme/*, reason: why, owner: ops, until: 2026-06-20${more}}`,
    );
  const inShop = (name: string) =>
    driftFinding({ ...drifted, change: { ...drifted.change, container: { kind: "project", name } } });

  test("a waiver with a project pattern does not accept drift in other projects", () => {
    const file = waiver("");
    expect(file.list()).toMatchObject([{ status: "unused", uses: 0 }]);
    expect(file.reasonFor(inShop("other/shop"))).toBeUndefined();
    expect(file.reasonFor(changed)).toBeUndefined();
    expect(file.reasonFor(inShop("acme/shop"))).toBe("why");
    expect(file.list()).toMatchObject([{ status: "ending", uses: 1, owner: "ops" }]);
  });

  test("a waiver stops applying at the beginning of its `until` day", () => {
    const file = read("- {setting: '*', project: '*', reason: why, owner: ops, until: 2026-06-15}");
    expect(file.reasonFor(changed)).toBeUndefined();
    expect(file.list()).toMatchObject([{ status: "ended" }]);
    expect(file.warnings).toMatchObject([{ severity: "warning", code: "waiver_ended" }]);
  });

  test("for an ignore file in the older format, a warning shows the file's entries in the new format", () => {
    const old = read(
      "- {object: 'acme_thing 42:x*', attribute: level, kind: unmanaged, reason: 'a: b', expires: 2026-06-30}\n- {object: b, reason: why}",
    );
    const [outdated] = old.warnings;
    expect(outdated).toMatchObject({ severity: "warning", code: "ignore_file_outdated" });
    const [, ...lines] = String(outdated!.detail).split("\n");
    const renewed = read(lines.join("\n"));
    expect(renewed.warnings).toEqual([]);
    expect(renewed.list()).toMatchObject([
      {
        ...{ setting: "acme_thing 42:x*", attribute: "level", kind: "unmanaged", project: "*" },
        ...{ reason: "a: b", owner: "not named yet", until: "2026-07-01" },
      },
      { setting: "b", reason: "why", until: "2027-06-15" },
    ]);
  });

  test.each([
    ["{setting: a, reason: b, owner: c, until: 2026-07-01}", "entry 1 needs a text for project"],
    ["{setting: a, project: b, owner: c, until: 2026-07-01}", "entry 1 needs a text for reason"],
    ["{setting: a, project: b, reason: c, until: 2026-07-01}", "entry 1 needs a text for owner"],
    ["{setting: a, project: b, reason: c, owner: d}", "entry 1 needs a text for until"],
    ["{project: b, reason: c, owner: d, until: 2026-07-01}", "entry 1 needs either rule or setting"],
    ["{setting: a, project: b, reason: c, owner: d, until: 2026-02-30}", 'entry 1 has until "2026-02-30"'],
    ["{setting: a, project: b, reason: c, owner: d, until: 2027-06-17}", "until 2027-06-15 at most"],
    [
      "{setting: a, kind: gone, project: b, reason: c, owner: d, until: 2026-07-01}",
      'line 1: entry 1 has the unknown kind "gone". Kinds are changed, vanished, unmanaged, unlisted, unchecked.',
    ],
    ["{setting: a, why: b, project: b}", 'entry 1 has the unknown key "why". Its keys are rule, '],
    ["{setting: a, kind: vanish}", "needs a text for project"],
    [
      "setting: a\n  project: b\n  raeson: c\n  owner: d\n  until: 2026-07-01",
      'line 3: entry 1 has the unknown key "raeson". Did you mean "reason"?',
    ],
  ])(
    "the error for an invalid waiver gives the position and the problem of the entry: %s",
    (entry, problem) => {
      expect(() => read(`- ${entry}`)).toThrow(problem);
    },
  );

  test("Steward refuses a waiver for 25 days if max_days of the waiver's file is 20", () => {
    const until = (days: number) =>
      read(
        `{max_days: ${days}, waivers: [{setting: a, project: b, reason: c, owner: d, until: 2026-07-10}]}`,
      );
    expect(until(30).list()).toHaveLength(1);
    expect(() => until(20)).toThrow("the policy allows 20 days");
  });

  test.each([
    ["", []],
    ["[]", []],
  ])("Steward accepts an ignore file without entries", (text, warnings) => {
    expect(read(text).warnings).toEqual(warnings);
  });

  test.each([
    ["- {object: '*'}", "entry 1, reason: "],
    ["- {object: '*', reason: a}\n- {object: '*', reason: b, expires: soon}", "entry 2, expires: "],
    ["- {object: '*', reason: a, until: 2026-01-01}", 'Unrecognized key: "until"'],
    ["- {object: '*', reason: a, kind: gone}", "entry 1, kind: "],
    ["object: '*'", "is not a list of entries"],
    ["- {object: '*'", "is not YAML"],
  ])("the error for an invalid ignore file in the older format states the problem: %s", (text, place) => {
    expect(() => read(text)).toThrow(place);
  });

  test("if the ignore file does not exist, the error contains the file's name", () => {
    expect(() => new SettingWaivers(["nowhere.yaml"], folder)).toThrow(
      '"nowhere.yaml" can\'t be read (ENOENT: no such file or directory)',
    );
  });
});
