import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { JsonRunView } from "../../../../src/cli/views/json/json-run-view";
import { RunView } from "../../../../src/cli/views/run-view";
import { error, warning } from "../../../../src/diagnostics";
import { UNKNOWN } from "../../../../src/schema";
import { emptyState } from "../../../../src/state/model/model";
import { describeWith } from "../../../support/capabilities";
import { change, objects, output, plan } from "../../support/models";
import { fakeTerminal } from "../../support/terminal";

type Line = Record<string, unknown> & { type: string };

const parse = (text: string): Line[] =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** The lines that a view writes for some calls. */
async function linesOf(show: (view: RunView) => void): Promise<Line[]> {
  const terminal = fakeTerminal();
  const view = new RunView(new JsonRunView(terminal));
  show(view);
  await view.end();
  expect(terminal.written.err).toBe("");
  return parse(terminal.written.out);
}

const COUNTS = { add: 1, change: 0, remove: 0, import: 0 };
const SUMMARY = { ...COUNTS, move: 0 };
const CREATE = change({ action: "create", before: null, after: { id: UNKNOWN }, construct: "app/one" });

describe("the events of a run", () => {
  test("start with the version and end with the result", async () => {
    const lines = await linesOf((view) => view.plan(plan({ changes: [CREATE], summary: SUMMARY })));
    expect(lines.map(({ type }) => type)).toEqual(["version", "planned_change", "change_summary"]);
    expect(lines[0]).toMatchObject({ steward: expect.stringMatching(/^\d+\.\d+\.\d+/), ui: "1.2" });
    expect(lines[1]).toMatchObject({
      "@level": "info",
      "@message": "acme_thing.one: Plan to create",
      "@module": "steward.ui",
      "@timestamp": expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      change: {
        resource: {
          addr: "acme_thing.one",
          module: "",
          resource: "acme_thing.one",
          implied_provider: "acme",
          resource_type: "acme_thing",
          resource_name: "one",
          resource_key: null,
        },
        action: "create",
        construct: "app/one",
      },
    });
    expect(lines[2]).toMatchObject({ changes: { ...COUNTS, operation: "plan" } });
  });

  test("report each diagnostic once, before the result", async () => {
    const problem = error({
      code: "invalid_value",
      summary: "Invalid value",
      detail: "d",
      attribute: ["a", 0],
      address: "acme_thing.one",
    });
    const lines = await linesOf((view) => {
      view.diagnostics([problem]);
      view.plan(
        plan({
          diagnostics: [problem, warning({ code: "conflict", summary: "W", detail: "d" })],
          changes: [CREATE],
        }),
      );
    });
    expect(lines.map(({ type }) => type)).toEqual([
      "version",
      "diagnostic",
      "diagnostic",
      "planned_change",
      "change_summary",
    ]);
    expect(lines[1]).toMatchObject({
      "@level": "error",
      "@message": "Error: Invalid value",
      diagnostic: {
        severity: "error",
        summary: "Invalid value",
        attribute: "a[0]",
        address: "acme_thing.one",
      },
    });
    expect(lines[2]).toMatchObject({ "@level": "warn", diagnostic: { severity: "warning" } });
  });

  test("events of a plan that can't be applied have no summary, which would read as no changes", async () => {
    const problem = error({ code: "invalid_value", summary: "S", detail: "d" });
    const failed = { applicable: false, hasChanges: false, diagnostics: [problem] };
    const lines = await linesOf((view) => view.plan(plan(failed)));
    expect(lines.map(({ type }) => type)).toEqual(["version", "diagnostic"]);
  });

  test("events of drift name the attributes, with added and missing elements for sets", async () => {
    const lines = await linesOf((view) =>
      view.drift(
        {
          drifted: [
            {
              kind: "changed",
              change: change({
                action: "update",
                before: { enabled: true, targets: ["a", "b"], secret: "old-secret" },
                after: { enabled: false, targets: ["b", "c"], secret: "new-secret" },
              }),
              attributes: ["enabled", "secret", "targets"],
              declared: { secret: "third-secret", targets: ["d"] },
            },
            {
              kind: "vanished",
              change: change({ address: 'acme_thing.two["x"]', action: "delete", before: {}, after: null }),
              attributes: [],
              declared: {},
            },
          ],
          objects: objects(4),
          unchecked: [],
          scans: [],
          diagnostics: [],
        },
        { ignored: [], known: [] },
      ),
    );
    expect(lines.slice(1)).toMatchObject([
      {
        type: "resource_drift",
        change: {
          action: "update",
          attributes: [
            { name: "enabled", sensitive: false, applied: true, declared: true, live: false },
            { name: "secret", sensitive: true },
            {
              name: "targets",
              sensitive: false,
              applied: ["a", "b"],
              declared: ["d"],
              added: ["c"],
              missing: ["a"],
            },
          ],
        },
      },
      { type: "resource_drift", change: { action: "delete", resource: { resource_key: "x" } } },
      { type: "drift_summary", drift: { checked: 4, changed: 1, vanished: 1 } },
    ]);
    expect(JSON.stringify(lines)).not.toContain("old-secret");
    expect(JSON.stringify(lines)).not.toContain("new-secret");
    expect(JSON.stringify(lines)).not.toContain("third-secret");
  });

  test("events of a repair name each skipped object and the reason", async () => {
    const lines = await linesOf((view) =>
      view.tell({
        kind: "notRepaired",
        left: { address: "acme_thing.one", reason: "the code changed level" },
      }),
    );
    expect(lines.at(-1)).toMatchObject({
      type: "drift_not_repaired",
      "@message": "acme_thing.one is not repaired: the code changed level.",
      resource: { addr: "acme_thing.one" },
      reason: "the code changed level",
    });
  });

  test("events never contain the value of a sensitive output", async () => {
    const outputs = { token: { value: "hidden-value", type: "string", sensitive: true } };
    const lines = await linesOf((view) => {
      view.plan(
        plan({
          outputs: [output({ name: "token", action: "create", after: "hidden-value", sensitive: true })],
        }),
      );
      view.applied("normal", {
        state: { ...emptyState(), outputs },
        diagnostics: [],
        unchecked: [],
        done: { add: 0, change: 0, remove: 0, import: 0, move: 0 },
      });
    });
    expect(lines.find(({ type, outputs: found }) => type === "outputs" && found)).toMatchObject({
      outputs: { token: { sensitive: true, action: "create" } },
    });
    expect(JSON.stringify(lines)).not.toContain("hidden-value");
  });

  test("events of a failed apply never say complete", async () => {
    const problem = error({ code: "forbidden", summary: "S", detail: "d" });
    const lines = await linesOf((view) =>
      view.applied("normal", {
        state: emptyState(),
        diagnostics: [problem],
        unchecked: [],
        done: { add: 1, change: 0, remove: 0, import: 0, move: 0 },
      }),
    );
    expect(lines.at(-1)).toMatchObject({
      type: "change_summary",
      "@message": "Apply incomplete, see the errors. Resources: 1 added, 0 changed, 0 destroyed.",
      changes: { add: 1, change: 0, remove: 0, import: 0, operation: "apply" },
    });
  });

  test("count and name unchecked objects in plans, applies and drift", async () => {
    const lost = error({ code: "rights_lost", summary: "S", detail: "d", address: "acme_thing.lost" });
    const unchecked = ["acme_thing.lost", "acme_thing.other"];
    const lines = await linesOf((view) => {
      view.plan(plan({ diagnostics: [lost], unchecked }));
      view.applied("normal", {
        state: emptyState(),
        diagnostics: [],
        unchecked,
        done: { add: 1, change: 0, remove: 0, import: 0, move: 0 },
      });
      const [one, ...others] = objects(3);
      const found = [{ object: { ...one!, address: "acme_thing.lost" }, diagnostics: [lost] }];
      view.drift(
        { drifted: [], objects: others, unchecked: found, scans: [], diagnostics: [lost] },
        { ignored: [], known: [] },
      );
    });
    expect(lines.slice(2)).toMatchObject([
      { type: "resource_unchecked", resource: { addr: "acme_thing.lost" } },
      { type: "resource_unchecked", resource: { addr: "acme_thing.other" } },
      {
        type: "change_summary",
        "@message": "Plan: 0 to add, 0 to change, 0 to destroy. 2 objects could not be checked.",
        changes: { unchecked: 2, operation: "plan" },
      },
      {
        type: "change_summary",
        "@message":
          "Apply incomplete, see the errors. Resources: 1 added, 0 changed, 0 destroyed. 2 objects could not be checked.",
        changes: { unchecked: 2, operation: "apply" },
      },
      { type: "resource_unchecked", resource: { addr: "acme_thing.lost" } },
      {
        type: "drift_summary",
        "@message": "Drift: 0 changed, 0 vanished (2 objects checked). 1 object could not be checked.",
        drift: { checked: 2, unchecked: 1 },
      },
    ]);
  });

  test.each([
    [2, 0, "2 differences known from the earlier run, no new ones. 3 objects checked."],
    [1, 1, "1 difference known from the earlier run and 1 ignored, no new ones. 3 objects checked."],
    [0, 0, "Drift: 0 changed, 0 vanished (3 objects checked)."],
  ])(
    "events of drift with %d known and %d ignored differences say so instead of reporting no drift",
    async (known, ignored, message) => {
      const suppressed = {
        known: Array.from({ length: known }, (_, index) => ({
          name: "acme_thing.n0",
          fingerprint: `${index}`,
        })),
        ignored: Array.from({ length: ignored }, () => ({ name: "acme_thing.n0", reason: "accepted" })),
      };
      const report = { drifted: [], objects: objects(3), unchecked: [], scans: [], diagnostics: [] };
      const lines = await linesOf((view) => view.drift(report, suppressed));
      expect(lines.at(-1)).toMatchObject({ type: "drift_summary", "@message": message });
    },
  );

  test("events of several stacks contain the stack's name and end with the total", async () => {
    const lines = await linesOf((view) => {
      for (const name of ["web", "docs"]) {
        view.stack(name, 2);
        view.plan(plan({ changes: [CREATE], summary: SUMMARY }));
      }
    });
    expect(lines.map(({ type, stack }) => [type, stack])).toEqual([
      ["version", undefined],
      ["planned_change", "web"],
      ["change_summary", "web"],
      ["planned_change", "docs"],
      ["change_summary", "docs"],
      ["change_summary", undefined],
    ]);
    expect(lines.at(-1)).toMatchObject({ changes: { ...COUNTS, add: 2, operation: "plan" } });
  });
});

describeWith("engine", "beside a real engine", (program) => {
  let folder: string;
  const engine = (...args: string[]) =>
    spawnSync(program, args, {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, CHECKPOINT_DISABLE: "1" },
    });

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "steward-json-"));
    const configuration = {
      resource: { terraform_data: { one: { input: "x" } } },
      output: { id: { value: "${terraform_data.one.id}" } },
    };
    writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configuration));
    expect(engine("init").status).toBe(0);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The names of an object's fields, at every depth that is the same for all resources. */
  const shape = (line: Line, ...ours: string[]): unknown =>
    JSON.parse(
      JSON.stringify(line, (name, value: unknown) => {
        if (ours.includes(name) || name === "terraform") return undefined;
        if (name === "outputs" || name === "changes") return value;
        return typeof value === "object" ? value : typeof value;
      }),
    );

  test("every event has the fields of Terraform's event", async () => {
    const theirs = parse(engine("apply", "-json", "-auto-approve").stdout);
    const address = "terraform_data.one";
    const id = theirs.find(({ type }) => type === "apply_complete")!["hook"] as { id_value: string };
    const lines = await linesOf((view) => {
      view.plan(
        plan({
          changes: [change({ address, action: "create", before: null, after: {} })],
          outputs: [output({ name: "id", action: "create", after: UNKNOWN })],
          summary: SUMMARY,
        }),
      );
      view.tell({ kind: "engine", event: { kind: "apply_start", address, action: "create" } });
      view.tell({
        kind: "engine",
        event: { kind: "apply_complete", address, action: "create", id: id.id_value, milliseconds: 12 },
      });
      view.applied("normal", {
        state: {
          ...emptyState(),
          outputs: { id: { value: id.id_value, type: "string", sensitive: false } },
        },
        diagnostics: [],
        unchecked: [],
        done: { add: 1, change: 0, remove: 0, import: 0, move: 0 },
      });
    });
    const sorted = (all: Line[], ...ours: string[]) =>
      all
        .map((line) => shape(line, ...ours))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(sorted(lines, "steward")).toEqual(sorted(theirs));
  });
});
