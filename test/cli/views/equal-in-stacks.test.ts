import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { HumanRunView } from "../../../src/cli/views/human-run-view";
import { MergedRunView } from "../../../src/cli/views/merged-run-view";
import { RunView } from "../../../src/cli/views/run-view";
import { error } from "../../../src/diagnostics";
import { type Plan, type ResourceChange, UNKNOWN } from "../../../src/engine";
import { reportOf } from "../reports/support/runs";
import { change, objects, output, plan } from "../support/models";
import { fakeTerminal } from "../support/terminal";

const NOTHING = { ignored: [], known: [] };
const names = (count: number) => Array.from({ length: count }, (_, index) => `s-p${index + 1}`);

/** What a run that only reads prints on stdout and stderr. */
async function printed(stacks: readonly string[], show: (view: RunView, stack: string) => void) {
  const terminal = fakeTerminal();
  const view = new RunView(new MergedRunView(new HumanRunView(terminal, false)));
  for (const name of stacks) {
    view.stack(name, stacks.length);
    show(view, name);
  }
  await view.end();
  return terminal.written;
}

const inStack = (stack: string, parts: Partial<ResourceChange> = {}) =>
  change({
    address: "acme_thing.limit",
    name: "limit",
    action: "create",
    position: "main.ts:17",
    construct: `${stack}/limit`,
    container: { kind: "project", name: `acme/${stack}` },
    before: null,
    after: { id: UNKNOWN, project: `acme/${stack}`, enabled: true },
    ...parts,
  });
const added = (changes: readonly ResourceChange[], parts: Partial<Plan> = {}) =>
  plan({ changes, summary: { add: changes.length, change: 0, remove: 0, import: 0, move: 0 }, ...parts });
const other = inStack("s-p2", {
  address: "acme_thing.other",
  name: "other",
  after: { id: UNKNOWN, project: "acme/s-p2", level: 30 },
});
const drifted = (stack: string) => ({
  kind: "changed" as const,
  change: inStack(stack, { action: "update", before: { enabled: true }, after: { enabled: false } }),
  attributes: ["enabled"],
  declared: {},
});

describe("equal changes in several stacks", () => {
  test("equal changes are one entry with the list of projects, and stacks with nothing else have no output", async () => {
    const { out } = await printed(names(5), (view, stack) => view.plan(added([inStack(stack)])));
    expect(out).toBe(`
In several stacks

Resource actions are indicated with the following symbols:
  + create

  # 5 objects acme_thing will be created
  # 5 projects in 5 stacks: acme/s-p1, acme/s-p2, acme/s-p3, acme/s-p4, acme/s-p5
  # (main.ts:17)
  + resource "acme_thing" {
      + enabled = true
    }

5 stacks: 5 with changes (s-p1, s-p2, s-p3, s-p4, s-p5). Plan: 5 to add, 0 to change, 0 to destroy.
`);
  });

  test("fit on a screen in 300 stacks", async () => {
    const { out } = await printed(names(300), (view, stack) => view.plan(added([inStack(stack)])));
    expect(out.split("\n").length).toBeLessThan(24);
    expect(out).toContain("# 300 projects in 300 stacks: acme/s-p1,");
  });

  test("leave other changes, outputs and problems with their stack", async () => {
    const problem = error({ code: "internal_error", summary: "Out of tea", detail: "Make some." });
    const { out, err } = await printed(names(6), (view, stack) => {
      const own = stack === "s-p2" ? [other] : [];
      const outputs = stack === "s-p3" ? [output({ name: "url", action: "create", after: "x" })] : [];
      const diagnostics = stack === "s-p4" ? [problem] : [];
      view.plan(added([inStack(stack), ...own], { outputs, diagnostics }));
    });
    expect(out).toContain("# 6 projects in 6 stacks: ");
    expect(out.match(/^Stack .*/gm)).toEqual(["Stack s-p2", "Stack s-p3", "Stack s-p4"]);
    expect(out).toContain(`
  # acme_thing.other will be created
  # (project acme/s-p2)
  # (construct s-p2/limit, main.ts:17)
  + resource "acme_thing" "other" {
      + id      = (known after apply)
      + level   = 30
      + project = "acme/s-p2"
    }

  # (1 object is above, with equal ones of other stacks)

Plan: 2 to add, 0 to change, 0 to destroy.
`);
    expect(out).toContain("Changes to Outputs:\n  + url = ");
    expect(err).toContain("Out of tea");
  });

  test("stay with their stacks if they are fewer than five, or in one stack alone", async () => {
    const few = await printed(names(4), (view, stack) => view.plan(added([inStack(stack)])));
    expect(few.out).not.toContain("In several stacks");
    expect(few.out.match(/^Stack .*/gm)).toHaveLength(4);
    const one = await printed(["a", "b"], (view, stack) =>
      view.plan(stack === "a" ? plan() : added(names(5).map((project) => inStack(project)))),
    );
    expect(one.out).not.toContain("In several stacks");
    expect(one.out).toContain("Stack b\n\nResource actions");
    expect(one.out).toContain("# 5 projects: acme/s-p1");
  });

  test("equal changes of several stacks are one entry of drift as well", async () => {
    const { out } = await printed(names(5), (view, stack) =>
      view.drift(
        { drifted: [drifted(stack)], objects: objects(2), unchecked: [], scans: [], diagnostics: [] },
        NOTHING,
      ),
    );
    expect(out).toBe(`
In several stacks

  # 5 objects acme_thing differ on the service (applied -> live)
  # 5 projects in 5 stacks: acme/s-p1, acme/s-p2, acme/s-p3, acme/s-p4, acme/s-p5
  # (main.ts:17)
      ~ enabled = true -> false

5 stacks: 5 with drift (s-p1, s-p2, s-p3, s-p4, s-p5), 5 objects drifted, 10 objects checked.
`);
  });

  test("changes of a single stack or configuration are printed at once", async () => {
    const terminal = fakeTerminal();
    const view = new RunView(new MergedRunView(new HumanRunView(terminal, false)));
    view.stack(undefined, 1);
    view.plan(added([inStack("s-p1")]));
    expect(terminal.written.out).toContain("# acme_thing.limit will be created");
  });

  test("equal changes are one item of a Markdown report, which names the stacks with nothing else on one line", async () => {
    const report = await reportOf("plan", (view) => {
      for (const name of names(6)) {
        view.stack(name, 6);
        view.plan(name === "s-p6" ? plan() : added([inStack(name), ...(name === "s-p2" ? [other] : [])]));
      }
    });
    const markdown = markdownReport(report);
    expect(markdown).toContain(`
6 stacks: 5 with changes.

### In several stacks

- ➕ create 5 × \`acme_thing\`  
  in 5 projects of 5 stacks: \`acme/s-p1\`, \`acme/s-p2\`, \`acme/s-p3\`, \`acme/s-p4\`, \`acme/s-p5\`
`);
    expect(markdown).toContain(`
### \`s-p2\`: 2 to create, 0 to update, 0 to destroy

1 object above, with equal ones of other stacks.

- ➕ create \`acme_thing.other\`  
`);
    expect(markdown.match(/^### .*/gm)).toHaveLength(2);
    expect(markdown).toContain(
      "\nNothing else in 4 stacks: `s-p1`, `s-p3`, `s-p4`, `s-p5`\n\nNo changes in 1 stack: `s-p6`\n",
    );
  });
});
