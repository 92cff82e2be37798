import { renderDriftReport } from "../../../src/cli/views/drift";
import { PLAIN } from "../../../src/cli/views/style";
import { error } from "../../../src/diagnostics";
import type { DriftedObject } from "../../../src/engine";
import { change, objects } from "../support/models";

const changed: DriftedObject = {
  kind: "changed",
  change: change({
    action: "update",
    construct: "app/web/one",
    before: { id: "1", enabled: true, level: 30, targets: ["a", "b"], secret: "old-secret" },
    after: { id: "1", enabled: false, level: 40, targets: ["b", "c"], secret: "new-secret" },
  }),
  attributes: ["enabled", "targets", "secret"],
};
const vanished: DriftedObject = {
  kind: "vanished",
  change: change({
    address: "acme_thing.two",
    name: "two",
    action: "delete",
    before: { id: "2" },
    after: null,
  }),
  attributes: [],
};

describe("a drift report", () => {
  test("names address, construct, each declared attribute as declared -> live, and what vanished", () => {
    const text = renderDriftReport(
      { drifted: [changed, vanished], objects: objects(5), diagnostics: [] },
      PLAIN,
    );
    expect(`\n${text}`).toBe(`
  # acme_thing.one differs on the service (declared -> live)
  # (construct app/web/one)
      ~ enabled = true -> false
      ~ secret  = (sensitive value)
      ~ targets = [
          - "a",
          + "c",
            # (1 unchanged element hidden)
        ]

  # acme_thing.two is gone from the service

Drift: 1 changed, 1 vanished (5 objects checked).
`);
  });

  test("without drift says how many objects were looked at", () => {
    expect(renderDriftReport({ drifted: [], objects: objects(1), diagnostics: [] }, PLAIN)).toBe(
      "No drift. 1 object checked: all as in the state.\n",
    );
  });

  test("over a state that holds nothing yet doesn't say that all is as declared", () => {
    expect(renderDriftReport({ drifted: [], objects: [], diagnostics: [] }, PLAIN)).toBe(
      "Nothing to compare: the state holds none of the declared objects.\n",
    );
  });

  test("that could not look at everything never says that there is no drift", () => {
    const problem = error({ code: "unreachable", summary: "No connection", detail: "…" });
    expect(
      renderDriftReport({ drifted: [], objects: objects(1), diagnostics: [problem] }, PLAIN).trim(),
    ).toBe("");
  });
});
