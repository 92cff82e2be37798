import { HumanRunView } from "../../../src/cli/views/human-run-view";
import { RunView } from "../../../src/cli/views/run-view";
import { error } from "../../../src/diagnostics";
import { type Plan, UNKNOWN } from "../../../src/engine";
import { emptyState } from "../../../src/state/model/model";
import { change, objects, plan } from "../support/models";
import { fakeTerminal } from "../support/terminal";

const NOTHING = { ignored: [], known: [] };
const SUMMARY = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `s-p${String(index + 1).padStart(3, "0")}`);

/** What a run over stacks prints on stdout. */
async function printed(
  stacks: readonly string[],
  show: (view: RunView, stack: string) => void,
  summary = false,
): Promise<string> {
  const terminal = fakeTerminal();
  const view = new RunView(new HumanRunView(terminal, false, undefined, summary));
  for (const name of stacks) {
    view.stack(name, stacks.length);
    show(view, name);
  }
  await view.end();
  return terminal.written.out;
}

const created = (parts: Partial<Plan> = {}) =>
  plan({
    changes: [change({ action: "create", before: null, after: { id: UNKNOWN } })],
    summary: { ...SUMMARY, add: 1 },
    ...parts,
  });
const differing = {
  kind: "changed" as const,
  change: change({ action: "update", before: { enabled: true }, after: { enabled: false } }),
  attributes: ["enabled"],
  declared: {},
};
const drift = (isDrifted: boolean) => ({
  drifted: isDrifted ? [differing] : [],
  objects: objects(2),
  unchecked: [],
  scans: [],
  diagnostics: [],
});

describe("a run over many stacks", () => {
  test("a run of drift ends with the clean stacks on one line and one total", async () => {
    const out = await printed(names(50), (view, name) => view.drift(drift(name === "s-p007"), NOTHING));
    const clean = names(50).filter((name) => name !== "s-p007");
    expect(out).toBe(`
Stack s-p007

  # acme_thing.one differs on the service (applied -> live)
      ~ enabled = true -> false

Drift: 1 changed, 0 vanished (2 objects checked).

No drift in 49 stacks: ${clean.join(", ")}
50 stacks: 1 with drift (s-p007), 1 object drifted, 100 objects checked.
`);
  });

  test("without any drift is one line", async () => {
    const out = await printed(names(50), (view) => view.drift(drift(false), NOTHING));
    expect(out).toBe("\n50 stacks: no drift, 100 objects checked.\n");
  });

  test("a run of plans counts the changes of all stacks, and names a stack that failed", async () => {
    const out = await printed(["a", "b", "c"], (view, name) => {
      if (name === "a") view.plan(created());
      if (name === "b") view.plan(plan());
      if (name === "c") view.diagnostics([error({ code: "internal_error", summary: "s", detail: "d" })]);
    });
    expect(out).not.toContain("Stack b");
    expect(
      out.endsWith(`
No changes in 1 stack: b
3 stacks: 1 with changes (a), 1 failed (c). Plan: 1 to add, 0 to change, 0 to destroy.
`),
    ).toBe(true);
  });

  test("a run of applies leaves out stacks in which nothing changed, unless they have outputs", async () => {
    const result = { state: emptyState(), done: SUMMARY, diagnostics: [], unchecked: [] };
    const outputs = { url: { value: "https://acme.example", type: "string" as const, sensitive: false } };
    const out = await printed(["a", "b", "c"], (view, name) => {
      view.plan(name === "a" ? created() : plan());
      if (name === "a") view.applied("normal", { ...result, done: { ...SUMMARY, add: 1 } });
      if (name === "b") view.applied("normal", result);
      if (name === "c") view.applied("normal", { ...result, state: { ...emptyState(), outputs } });
    });
    expect(out).not.toContain("Stack b");
    expect(out).toContain(
      'Stack c\n\nApply complete! Resources: 0 added, 0 changed, 0 destroyed.\n\nOutputs:\n\nurl = "https://acme.example"\n',
    );
    expect(out).toContain(
      "\n3 stacks: 1 with changes (a). Apply complete! Resources: 1 added, 0 changed, 0 destroyed.\n",
    );
  });

  test("keeps hostile names of stacks on one line", async () => {
    const out = await printed(["a\nb\u001b[2J", "c"], (view) => view.drift(drift(false), NOTHING));
    expect(out).toBe("\n2 stacks: no drift, 4 objects checked.\n");
    const found = await printed(["a\nb\u001b[2J", "c"], (view) => view.drift(drift(true), NOTHING));
    expect(found).toContain(
      "2 stacks: 2 with drift (a\\nb\\u001b[2J, c), 2 objects drifted, 4 objects checked.\n",
    );
  });
});

describe("--summary", () => {
  test("prints totals by type and action, and nothing else", async () => {
    const changes = [
      ...Array.from({ length: 300 }, (_, index) =>
        change({ address: `acme_thing.n${index}`, action: "create", before: null, after: {} }),
      ),
      change({ type: "acme_other", action: "delete-then-create", before: {}, after: {} }),
      change({ type: "acme_other", action: "no-op", importing: { id: "7" }, before: {}, after: {} }),
      change({ action: "no-op", before: {}, after: {} }),
    ];
    const summary = { add: 301, change: 0, remove: 1, import: 1, move: 0 };
    const out = await printed(["web"], (view) => view.plan(plan({ changes, summary })), true);
    expect(out).toBe(`
            create  replace  import
acme_other       0        1       1
acme_thing     300        0       0

Plan: 1 to import, 301 to add, 0 to change, 1 to destroy.
`);
  });

  test("counts drift over all stacks", async () => {
    const out = await printed(["a", "b"], (view) => view.drift(drift(true), NOTHING), true);
    expect(out).toBe(`
            changed
acme_thing        2

2 stacks: 2 with drift (a, b), 2 objects drifted, 4 objects checked.
`);
  });

  test("--summary of a single configuration without drift says what was checked", async () => {
    const terminal = fakeTerminal();
    const view = new RunView(new HumanRunView(terminal, false, undefined, true));
    view.stack(undefined, 1);
    view.drift(drift(false), NOTHING);
    await view.end();
    expect(terminal.written.out).toBe("\nNo drift. 2 objects checked.\n");
  });
});
