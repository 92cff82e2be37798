import { describeUnmanaged } from "../../../src/cli/document/describe";
import { describeDrift } from "../../../src/cli/document/stack-parts";
import type { Suppressed } from "../../../src/cli/drift/finding-filter";
import { PLAIN } from "../../../src/cli/printing/text";
import { renderDriftReport, renderUnmanaged } from "../../../src/cli/views/drift";
import { error } from "../../../src/diagnostics";
import type { DriftedObject, DriftReport, UnmanagedObject } from "../../../src/engine";
import { ATTRIBUTES, change, objects } from "../support/models";
import { textOf } from "../support/text-of";

const changed: DriftedObject = {
  kind: "changed",
  change: change({
    action: "update",
    construct: "app/web/one",
    position: "src/web.ts:7",
    before: { id: "1", enabled: true, level: 30, targets: ["a", "b"], secret: "old-secret" },
    after: { id: "1", enabled: false, level: 40, targets: ["b", "c"], secret: "new-secret" },
  }),
  attributes: ["enabled", "targets", "secret"],
  declared: {},
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
  declared: {},
};

const NOTHING: Suppressed = { ignored: [], known: [] };
const render = (
  report: Omit<DriftReport, "scans" | "unchecked"> & Partial<DriftReport>,
  suppressed = NOTHING,
) =>
  textOf(
    renderDriftReport(describeDrift({ scans: [], unchecked: [], ...report }, undefined), suppressed, PLAIN),
  );

describe("a drift report", () => {
  test("shows address, construct, each drifted attribute as applied -> live, and vanished objects", () => {
    const text = render({ drifted: [changed, vanished], objects: objects(5), diagnostics: [] });
    expect(`\n${text}`).toBe(`
  # acme_thing.one differs on the service (applied -> live)
  # (construct app/web/one, src/web.ts:7)
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

  test("shows the declared value if it differs from both, and never a secret", () => {
    const declared = { enabled: false, targets: ["d"], secret: "third-secret" };
    const text = render({ drifted: [{ ...changed, declared }], objects: objects(1), diagnostics: [] });
    expect(text).toContain(`
        # (now declared: secret = (sensitive value))
        # (now declared: targets = ["d"])
`);
    const rules = { rules: [{ user: "ada", count: null }] };
    const other = { ...changed, attributes: ["level", "rules"], declared: rules };
    const before = { ...changed.change.before, rules: [] };
    const after = { ...changed.change.after, rules: [{ user: "bob", count: 1 }] };
    expect(
      render({
        drifted: [{ ...other, change: { ...changed.change, before, after } }],
        objects: objects(1),
        diagnostics: [],
      }),
    ).toContain('# (now declared: rules = [{"user":"ada"}])');
    // The declared value is already live.
    expect(text).not.toContain("now declared: enabled");
    expect(text).not.toContain("third-secret");
  });

  test("without drift shows the number of checked objects", () => {
    expect(render({ drifted: [], objects: objects(1), diagnostics: [] })).toBe(
      "No drift. 1 object checked: all as in the state.\n",
    );
  });

  test("for an empty state does not claim that there is no drift", () => {
    expect(render({ drifted: [], objects: [], diagnostics: [] })).toBe(
      "No objects were checked: the state holds none that steward manages.\n",
    );
  });

  test("with unchecked objects never says that there is no drift", () => {
    const problem = error({ code: "unreachable", summary: "No connection", detail: "…" });
    expect(render({ drifted: [], objects: objects(1), diagnostics: [problem] }).trim()).toBe("");
  });

  test("counts unchecked objects without calling them drifted", () => {
    const problem = error({ code: "rights_lost", summary: "Not visible", detail: "…" });
    const unchecked = objects(2).map((object) => ({ object, diagnostics: [problem] }));
    expect(render({ drifted: [], objects: objects(1), unchecked, diagnostics: [problem] })).toBe(
      "Drift: 0 changed, 0 vanished (1 object checked). 2 objects could not be checked.\n",
    );
  });
});

test("ignored findings are shown with their reasons, known findings are counted", () => {
  const ignored = [{ name: "acme_thing.three: note", reason: "until the move is over" }];
  expect(
    `\n${render(
      { drifted: [vanished], objects: objects(3), diagnostics: [] },
      {
        ignored,
        known: [
          { name: "a.one", fingerprint: "1" },
          { name: "a.two", fingerprint: "2" },
        ],
      },
    )}`,
  ).toBe(`
  # acme_thing.two is gone from the service

Ignored:
  acme_thing.three: note: until the move is over

2 differences known from the earlier run, not reported again.

Drift: 0 changed, 1 vanished (3 objects checked).
`);
});

test.each([
  [1, 0, "1 difference known from the earlier run, no new ones. 3 objects checked.\n"],
  [2, 1, "2 differences known from the earlier run and 1 ignored, no new ones. 3 objects checked.\n"],
  [0, 2, "2 differences ignored, no others. 3 objects checked.\n"],
])("%i known and %i ignored differences alone are never reported as no drift", (known, ignored, ending) => {
  const text = render(
    { drifted: [], objects: objects(3), diagnostics: [] },
    {
      known: Array(known).fill("one"),
      ignored: Array(ignored).fill({ name: "acme_thing.three", reason: "theirs" }),
    },
  );
  expect(text.endsWith(ending)).toBe(true);
  expect(text).not.toContain("No drift");
});

describe("an undeclared object", () => {
  const staging: UnmanagedObject = {
    type: "acme_thing",
    id: "42:staging",
    container: "project 42",
    live: { id: "42:staging", project: "shop/web", secret: "hidden" },
    attributes: ATTRIBUTES,
  };

  test("an undeclared object is shown with its live values, without secrets, and with the import command", () => {
    expect(
      `\n${textOf(
        renderUnmanaged(
          { objects: [describeUnmanaged(staging)], model: [staging], containers: 3 },
          NOTHING,
          false,
          PLAIN,
        ),
      )}`,
    ).toBe(`
  # acme_thing 42:staging is on the service but not declared
  # (to manage it, declare it and run: steward import acme_thing.staging 42:staging)
      + id      = "42:staging"
      + project = "shop/web"
      + secret  = (sensitive value)

Unmanaged: 1 (3 projects and groups searched).
`);
  });

  test("a report without undeclared objects says how many containers were searched", () => {
    expect(textOf(renderUnmanaged({ objects: [], model: [], containers: 1 }, NOTHING, false, PLAIN))).toBe(
      "Nothing unmanaged. 1 project or group searched.\n",
    );
  });
});
