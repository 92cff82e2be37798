import { describeChange, describeDrifted } from "../../../src/cli/document/describe";
import { driftEvent, plannedChangeEvent } from "../../../src/cli/views/json/plan-events";
import { change } from "../support/models";

const SECRET = "hunter2";
/** A change of one element, next to a sensitive element that stays unchanged. */
const updated = change({
  action: "update",
  before: { id: "1", steps: [SECRET, "b"] },
  after: { id: "1", steps: [SECRET, "c"] },
  beforeSensitive: [["steps", 0]],
  afterSensitive: [["steps", 0]],
});
const outside = new Map([["steps", { applied: [SECRET, "a"], live: [SECRET, "b"] }]]);
const created = change({
  action: "create",
  before: null,
  after: { steps: ["a", SECRET], note: "x" },
  afterSensitive: [["steps", 1]],
  replaced: { live: { steps: [SECRET, "z"], note: "y" } },
});
const drifted = {
  kind: "changed" as const,
  change: updated,
  attributes: ["steps"],
  declared: { steps: [SECRET, "d"] },
};

describe("an attribute with an unchanged sensitive element", () => {
  test.each([
    ["the report of a change", () => describeChange(updated, outside)],
    ["the report of a create that replaces live values", () => describeChange(created)],
    ["the report of drift", () => describeDrifted(drifted, undefined)],
    ["the event of a change", () => plannedChangeEvent(updated, outside)],
    ["the event of a create that replaces live values", () => plannedChangeEvent(created, new Map())],
    ["the event of drift", () => driftEvent(drifted, undefined)],
  ])("%s does not contain the sensitive element of an attribute", (_, written) => {
    expect(JSON.stringify(written())).not.toContain(SECRET);
  });

  test("if an element of an attribute is sensitive, the report contains neither the attribute's old nor its new value", () => {
    expect(describeChange(updated, outside).attributes).toEqual([
      {
        name: "steps",
        sensitive: true,
        difference: expect.objectContaining({ mark: "~" }),
        changed_outside: {},
      },
    ]);
  });

  test("if an element of an attribute is sensitive, the event of a create does not contain the attribute's live value", () => {
    expect(plannedChangeEvent(created, new Map())).toMatchObject({ change: { live: { note: "y" } } });
  });
});
