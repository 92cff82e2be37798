import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Finding } from "../../../src/cli/drift/finding";
import { IgnoreFile } from "../../../src/cli/drift/ignore-file";
import { ATTRIBUTES, change } from "../support/models";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-ignore-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TODAY = new Date("2026-06-15T23:59:59Z");
const read = (text: string): IgnoreFile => {
  writeFileSync(path.join(folder, "ignore.yaml"), text);
  return IgnoreFile.read("ignore.yaml", folder, TODAY);
};

const changed: Finding = {
  kind: "changed",
  stack: undefined,
  drifted: {
    kind: "changed",
    change: change({ address: 'acme_thing.people["ana"]', action: "update", before: {}, after: {} }),
    attributes: ["level"],
    declared: {},
  },
};
const unmanaged: Finding = {
  kind: "unmanaged",
  object: { type: "acme_thing", id: "42:x.y", container: "project 42", live: {}, attributes: ATTRIBUTES },
};

describe("an ignore file", () => {
  test.each([
    ['acme_thing.people["ana"]', true],
    ["acme_thing.people*", true],
    ["*", true],
    ["acme_thing.people", false],
    ["acme_thing.people[*ana*]", true],
    ["acme_thingXpeople*", false],
  ])("with the object %s: %s", (object, isMet) => {
    const file = read(`- object: '${object}'\n  reason: why\n`);
    expect(file.reasonFor(changed)).toBe(isMet ? "why" : undefined);
  });

  test("matches undeclared objects by type and id", () => {
    expect(read("- {object: 'acme_thing 42:*', reason: why}").reasonFor(unmanaged)).toBe("why");
    expect(read("- {object: 'acme_thing 43:*', reason: why}").reasonFor(unmanaged)).toBeUndefined();
  });

  test("an ignore file can ignore only one kind or one attribute", () => {
    expect(read("- {object: '*', kind: vanished, reason: why}").reasonFor(changed)).toBeUndefined();
    const file = read("- {object: '*', attribute: level, reason: why}");
    expect(file.reasonFor(changed)).toBeUndefined();
    expect(file.reasonForAttribute(changed, "level")).toBe("why");
    expect(file.reasonForAttribute(changed, "steps")).toBeUndefined();
  });

  test("warns about entries that match no checked object, except for objects that may appear later", () => {
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

  test("applies until the end of the last day and warns about expiry after it", () => {
    const until = (day: string) => read(`- {object: '*', reason: the move, expires: ${day}}`);
    expect(until("2026-06-15").reasonFor(changed)).toBe("the move");
    const over = until("2026-06-14");
    expect(over.reasonFor(changed)).toBeUndefined();
    expect(over.warnings).toMatchObject([
      { severity: "warning", code: "ignore_expired", detail: expect.stringContaining("the move") },
    ]);
  });

  test.each([
    ["", []],
    ["[]", []],
  ])("accepts an empty file", (text, warnings) => {
    expect(read(text).warnings).toEqual(warnings);
  });

  test.each([
    ["- {object: '*'}", "entry 1, reason: "],
    ["- {object: '*', reason: a}\n- {object: '*', reason: b, expires: soon}", "entry 2, expires: "],
    ["- {object: '*', reason: a, until: 2026-01-01}", 'Unrecognized key: "until"'],
    ["- {object: '*', reason: a, kind: gone}", "entry 1, kind: "],
    ["object: '*'", "is not a list of entries"],
    ["- {object: '*'", "is not YAML"],
  ])("an invalid ignore file is refused with the position: %s", (text, place) => {
    expect(() => read(text)).toThrow(place);
  });

  test("a missing ignore file is an error that names it", () => {
    expect(() => IgnoreFile.read("nowhere.yaml", folder)).toThrow(
      '"nowhere.yaml" can\'t be read (ENOENT: no such file or directory)',
    );
  });
});
