import { renderFields } from "../../../src/cli/difference";
import { describeChange } from "../../../src/cli/document/describe";
import { PLAIN } from "../../../src/cli/terminal/text";
import { type Attributes, type Enumeration, optional, subsetOf, type ValueObject } from "../../../src/schema";
import { change } from "../support/models";
import { textOf } from "../support/text-of";

const LEVELS: Enumeration<number> = {
  name: "Level",
  description: "",
  members: [
    { value: 20, name: "REPORTER", title: "Reporter" },
    { value: 30, name: "DEVELOPER", title: "Developer" },
    { value: 40, name: "MAINTAINER", title: "Maintainer" },
  ],
};
const WORDS: Enumeration<string> = {
  name: "Word",
  description: "",
  members: [{ value: "owner", name: "OWNER", title: "Owner" }],
};
const level = optional.number({ description: "", values: subsetOf(LEVELS, 30, 40) });
const ATTRIBUTES: Attributes = {
  level,
  word: optional.string({ description: "", values: WORDS }),
  secret: optional.number({ description: "", values: LEVELS, sensitive: true }),
  rules: optional.setOf({ level, user: optional.string({ description: "" }) }, { description: "" }),
};

const updated = (before: ValueObject, after: ValueObject) =>
  change({ attributes: ATTRIBUTES, action: "update", before, after });
const rendered = (before: ValueObject, after: ValueObject) =>
  `\n${textOf(renderFields(describeChange(updated(before, after)).attributes, { style: PLAIN }))}`;

describe("a value of an enumeration", () => {
  test("a plan prints the name of an access level, even if a declaration can't set this level", () => {
    expect(rendered({ level: 30 }, { level: 20 })).toBe(`
      ~ level = 30 (Developer) -> 20 (Reporter)
`);
  });

  test("a plan prints the name of an access level that is in an element of a set", () => {
    expect(rendered({ rules: [] }, { rules: [{ level: 40, user: null }] })).toBe(`
      ~ rules = [
          + {
              + level = 40 (Maintainer)
            },
        ]
`);
  });

  test("if a value is sensitive or not in the enumeration, the plan prints no name next to it", () => {
    expect(rendered({ level: 7, word: null, secret: 20 }, { level: null, word: "owner", secret: 30 })).toBe(`
      - level  = 7 -> null
      ~ secret = (sensitive value)
      + word   = "owner"
`);
  });

  test("a JSON report contains the names of an access level before and after a change", () => {
    const { attributes } = describeChange(updated({ level: 30, secret: 20 }, { level: 20, secret: 30 }));
    expect(attributes).toEqual([
      {
        name: "level",
        sensitive: false,
        before: 30,
        after: 20,
        before_name: "Developer",
        after_name: "Reporter",
        difference: { mark: "~", kind: "leaf", before: "30 (Developer)", after: "20 (Reporter)" },
      },
      { name: "secret", sensitive: true, difference: { mark: "~", kind: "hidden" } },
    ]);
  });
});
