import { parse } from "yaml";
import type { FixtureData } from "../../src/snapshot/fixture-data";
import { FIRST_LINE, writeYaml } from "../../src/snapshot/write-yaml";
import { HOSTILE, takenLines } from "../support/hostile";

const data = (description: string): FixtureData => ({
  users: [{ username: "maya", id: 2, name: undefined }],
  groups: [],
  projects: [
    {
      path: "acme/b",
      id: 1,
      topics: ["z", "a"],
      environments: ["staging", { name: "production", tier: "production" }],
    },
    { path: "acme/a", id: 10, description, container_rules: [{ id: 9, repository_path_pattern: "a" }] },
  ],
});

test("in a snapshot, all lists except topics are sorted", () => {
  const { projects, ...rest } = data("x");
  const text = writeYaml({ ...rest, projects }, []);
  expect(writeYaml({ ...rest, projects: [...projects].reverse() }, [])).toBe(text);
  const read = parse(text);
  expect(read.projects.map(({ path }: { path: string }) => path)).toEqual(["acme/a", "acme/b"]);
  expect(read.projects[1].topics).toEqual(["z", "a"]);
  expect(read.projects[1].environments).toEqual([{ name: "production", tier: "production" }, "staging"]);
});

test.each([
  HOSTILE,
  "null",
  "1e3",
  " padded ",
  "a: b #c",
  "- x",
  "{",
  "2026-11-22",
  "|\n >",
  "\t",
  "🚀",
  "\ud83d",
])("a description is written on one line and read back unchanged: %j", (text) => {
  const yaml = writeYaml(data(text), []);
  expect(parse(yaml).projects[0].description).toBe(text);
  expect(takenLines(yaml)).toEqual([]);
});

test("a line break in a path adds no line to the list of omitted parts at the snapshot's start", () => {
  const yaml = writeYaml(data("x"), [
    { container: `acme/${HOSTILE}`, part: "Pages", reason: "not available here", kind: "unavailable" },
    { container: "acme/b", part: "Pages", reason: "not available here", kind: "unavailable" },
  ]);
  expect(yaml.startsWith(FIRST_LINE)).toBe(true);
  expect(yaml).toMatch(/\n# Left out:\n# - Pages: not available here: acme\/.*, acme\/b\n\nusers:/);
  expect(takenLines(yaml)).toEqual([]);
});

test("the snapshot of an empty service is an empty fixture", () => {
  expect(parse(writeYaml({ users: [], groups: [], projects: [] }, []))).toEqual({});
});
