import { optional, required, type ValueObject } from "../../src/schema";
import { spelledLike } from "../../src/schema/value";

// The ids by path. Project 8 has two paths, and project 9 has one.

const IDS: Readonly<Record<string, number>> = { "acme/web": 8, "acme/old": 8, "acme/shop": 9 };
const attributes = {
  name: required.string({ description: "" }),
  project: required.reference("project", ""),
  targets: optional.setOfReferences("project", { description: "" }),
  rules: optional.setOf(
    { project: optional.reference("project", ""), level: optional.number({ description: "" }) },
    { description: "" },
  ),
};

const spelled = (values: ValueObject, like: ValueObject): ValueObject =>
  spelledLike(attributes, values, like, (_kind, text) => IDS[text]);

test.each<[string, ValueObject, ValueObject, ValueObject]>([
  ["an id", { project: "8" }, { project: "acme/web" }, { project: "acme/web" }],
  ["a path", { project: "acme/old" }, { project: "acme/web" }, { project: "acme/web" }],
  ["a path like an id", { project: "acme/web" }, { project: "8" }, { project: "8" }],
  [
    "an element of a set",
    { targets: ["8", "9"] },
    { targets: ["acme/shop", "acme/web"] },
    { targets: ["acme/web", "acme/shop"] },
  ],
  [
    "a reference in a nested object",
    { rules: [{ project: "9", level: 40 }] },
    { rules: [{ project: "acme/web" }, { project: "acme/shop", level: 30 }] },
    { rules: [{ project: "acme/shop", level: 40 }] },
  ],
])("%s gets the spelling of another reference to the same project", (_, values, like, expected) => {
  expect(spelled({ name: "a", ...values }, { name: "b", ...like })).toEqual({ name: "a", ...expected });
});

test.each<[string, ValueObject, ValueObject]>([
  ["another project", { project: "9" }, { project: "acme/web" }],
  ["an unknown path", { project: "acme/none" }, { project: "acme/web" }],
  ["a text that the others have too", { targets: ["8"] }, { targets: ["acme/web", "8"] }],
  ["a text that is not a reference", { name: "8" }, { name: "acme/web" }],
  ["an attribute that only the others have", { name: "a" }, { project: "acme/web", targets: ["8"] }],
])("spelledLike does not change values with %s", (_, values, like) => {
  expect(spelled(values, like)).toBe(values);
});

test("if another object refers to the same project by path, spelledLike replaces the project's id with this path", () => {
  expect(spelled({ project: "8" }, { project: "acme/web", targets: ["acme/shop"] })).toEqual({
    project: "acme/web",
  });
});
