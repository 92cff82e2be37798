import { describePlan } from "../../../src/cli/document/stack-parts";
import { PLAIN, type Style } from "../../../src/cli/printing/text";
import { renderPlan as render } from "../../../src/cli/views/plan";
import { error } from "../../../src/diagnostics";
import type { Plan } from "../../../src/engine";
import { UNKNOWN } from "../../../src/schema";
import { change, output, plan } from "../support/models";
import { textOf } from "../support/text-of";

const renderPlan = (model: Plan, style: Style) => render(describePlan(model), style);

describe("a plan", () => {
  test.each([
    [["enabled"], true],
    [[], true],
    [["name"], false],
  ])("shows outside changes if a planned change may depend on %j of the object", (attribute, isTold) => {
    const address = "acme_thing.source";
    const drifted = change({
      address,
      action: "update",
      before: { enabled: true },
      after: { enabled: false },
    });
    const text = textOf(
      renderPlan(
        plan({
          drift: [drifted],
          relevantAttributes: [{ resource: address, attribute }],
          changes: [change({ action: "create", before: null, after: { project: "a" } })],
        }),
        PLAIN,
      ),
    );
    expect(text.includes("Note: Objects have changed outside of Steward")).toBe(isTold);
  });

  test("a plan of only a move or an import has no legend: it printed an empty one", () => {
    const kept = { action: "no-op", before: { id: "1" }, after: { id: "1" } } as const;
    for (const one of [
      change({ ...kept, previousAddress: "acme_thing.old" }),
      change({ ...kept, importing: { id: "1" } }),
    ]) {
      const text = textOf(renderPlan(plan({ changes: [one] }), PLAIN));
      expect(text).not.toContain("Resource actions are indicated");
      expect(text).toContain("Steward will perform the following actions:");
    }
  });

  test("with an error shows the other planned changes, and that none of them is performed", () => {
    const problem = error({ code: "condition_failed", summary: "S", detail: "d" });
    const text = textOf(
      renderPlan(
        plan({
          applicable: false,
          diagnostics: [problem],
          changes: [change({ action: "create", before: null, after: { project: "a" } })],
          summary: { add: 1, change: 0, remove: 0, import: 0, move: 0 },
        }),
        PLAIN,
      ),
    );
    expect(text).toContain("Steward planned the following actions, but then encountered a problem:");
    expect(text).not.toContain("will perform");
    expect(text).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  });

  test("shows the action legend, the objects, the outputs and the summary", () => {
    const text = textOf(
      renderPlan(
        plan({
          changes: [
            change({ action: "create", before: null, after: { project: "a" } }),
            change({ address: "acme_thing.same", action: "no-op", before: { id: "1" }, after: { id: "1" } }),
            change({
              address: "acme_thing.two",
              name: "two",
              action: "delete",
              before: { id: "2" },
              after: null,
            }),
          ],
          outputs: [
            output({ name: "gone", action: "delete", before: "x" }),
            output({ name: "late", action: "update", before: [1, 2], after: UNKNOWN }),
            output({ name: "object", action: "create", after: { b: null, "a b": [true] } }),
            output({ name: "same", action: "no-op", before: 1, after: 1 }),
            output({
              name: "token",
              action: "update",
              before: "old-secret",
              after: "new-secret",
              sensitive: true,
            }),
          ],
          summary: { add: 1, change: 0, remove: 1, import: 0, move: 0 },
        }),
        PLAIN,
      ),
    );
    expect(`\n${text}`).toBe(`
Resource actions are indicated with the following symbols:
  + create
  - destroy

Steward will perform the following actions:

  # acme_thing.one will be created
  + resource "acme_thing" "one" {
      + project = "a"
    }

  # acme_thing.two will be destroyed
  - resource "acme_thing" "two" {
      - id = "2" -> null
    }

Changes to Outputs:
  - gone   = "x" -> null
  ~ late   = [
      - 1,
      - 2,
    ] -> (known after apply)
  + object = {
      + "a b" = [
          + true,
        ]
      + b     = null
    }
  ~ token  = (sensitive value)

Plan: 1 to add, 0 to change, 1 to destroy.
`);
  });

  test("starts with the changes outside of Steward", () => {
    const text = textOf(
      renderPlan(
        plan({
          drift: [
            change({
              action: "update",
              before: { id: "1", enabled: true },
              after: { id: "1", enabled: false },
            }),
            change({
              address: "acme_thing.two",
              name: "two",
              action: "delete",
              before: { id: "2" },
              after: null,
            }),
          ],
          mode: "refresh-only",
          hasChanges: true,
        }),
        PLAIN,
      ),
    );
    expect(`\n${text}`).toBe(`
Note: Objects have changed outside of Steward

Steward found these differences between the service and the last run:

  # acme_thing.one has changed
  ~ resource "acme_thing" "one" {
      ~ enabled = true -> false
        id      = "1"
    }

  # acme_thing.two has been deleted
  - resource "acme_thing" "two" {
      - id = "2" -> null
    }

Applying this plan updates the state with these changes and leaves the service unchanged.

Plan: 0 to add, 0 to change, 0 to destroy.
`);
  });

  test.each([
    ["normal", "No changes. Your infrastructure matches the configuration.\n"],
    ["destroy", "No changes. No objects need to be destroyed.\n"],
    ["refresh-only", "No changes. Your infrastructure still matches the state.\n"],
  ] as const)("without changes says so (%s)", (mode, says) => {
    expect(textOf(renderPlan(plan({ mode }), PLAIN))).toBe(says);
  });

  test("with an error never says that there are no changes", () => {
    const problem = error({ code: "unreachable", summary: "No connection", detail: "…" });
    expect(textOf(renderPlan(plan({ diagnostics: [problem] }), PLAIN))).not.toContain("No changes");
  });

  test("a plan of only output changes says that the service does not change", () => {
    const text = textOf(
      renderPlan(plan({ outputs: [output({ name: "a", action: "create", after: 1 })] }), PLAIN),
    );
    expect(text).toContain("Only output values change");
    expect(text).toContain("Plan: 0 to add, 0 to change, 0 to destroy.");
  });
});
