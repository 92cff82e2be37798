import fc from "fast-check";
import type { Report } from "../../../src/cli/document/model";
import { ReportCollector } from "../../../src/cli/reports/collector";
import { htmlReport } from "../../../src/cli/reports/formats/html";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { HumanRunView } from "../../../src/cli/views/human-run-view";
import { JsonRunView } from "../../../src/cli/views/json/json-run-view";
import type { RunView } from "../../../src/cli/views/run-view";
import { error } from "../../../src/diagnostics";
import { emptyState } from "../../../src/state/model/model";
import { change, objects, plan } from "../support/models";
import { fakeTerminal } from "../support/terminal";

// An operator reads the last line first: after an error nothing claims that a run is complete or that nothing differs.

const NOTHING = { ignored: [], known: [] };
const SUMMARY = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
const CLAIMS =
  /complete!|no changes|no drift|matches the (?:configuration|state)|nothing unmanaged|nobody gains/i;

/** What happens in one stack. */
interface Happening {
  readonly findings: number;
  /** Where an error is: in the plan or comparison, in the apply, or before both; or an object that can't be checked. */
  readonly error: "none" | "plan" | "apply" | "stack" | "unchecked";
}
const happening: fc.Arbitrary<Happening> = fc.record({
  findings: fc.constantFrom(0, 0, 1, 2),
  error: fc.constantFrom("none", "none", "plan", "apply", "stack", "unchecked"),
});
const command = fc.constantFrom("plan" as const, "apply" as const, "drift" as const);
const stacks = fc.array(happening, { minLength: 1, maxLength: 4 });

const ERROR = [error({ code: "internal_error", summary: "Failed", detail: "The service fails." })];

function play(view: RunView, of: "plan" | "apply" | "drift", all: readonly Happening[]): void {
  for (const [index, { findings, error: where }] of all.entries()) {
    view.stack(all.length === 1 ? undefined : `stack-${index}`, all.length);
    if (where === "stack") {
      view.diagnostics(ERROR);
      continue;
    }
    const diagnostics = where === "plan" || where === "unchecked" ? ERROR : [];
    const addresses = where === "unchecked" ? ["acme_thing.unchecked"] : [];
    const changes = Array.from({ length: findings }, (_, number) =>
      change({
        address: `acme_thing.n${number}`,
        action: "update",
        before: { level: 1 },
        after: { level: 2 },
      }),
    );
    if (of === "drift") {
      const drifted = changes.map((one) => ({
        kind: "changed" as const,
        change: one,
        attributes: ["level"],
        declared: {},
      }));
      const unchecked = addresses.map((address) => ({
        object: { ...objects(1)[0]!, address },
        diagnostics: ERROR,
      }));
      const seen = [...changes, ...objects(2)];
      view.drift({ drifted, objects: seen, unchecked, scans: [], diagnostics }, NOTHING);
      continue;
    }
    const summary = { ...SUMMARY, change: findings };
    view.plan(plan({ changes, summary, diagnostics, unchecked: addresses }));
    if (of === "plan") continue;
    const result = { state: emptyState(), done: summary, unchecked: addresses };
    view.applied("normal", { ...result, diagnostics: where === "apply" ? ERROR : [] });
  }
  if (of === "drift") view.unmanaged({ objects: [], containers: 1 }, NOTHING);
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1)!;
const hasFailed = (of: string, all: readonly Happening[]): boolean =>
  all.some(({ error: where }) => where !== "none" && (where !== "apply" || of === "apply"));

test("the last line claims a complete run without findings only if nothing failed", async () => {
  await fc.assert(
    fc.asyncProperty(command, stacks, async (of, all) => {
      for (const create of [
        (terminal: ReturnType<typeof fakeTerminal>) => new HumanRunView(terminal, false),
        (terminal: ReturnType<typeof fakeTerminal>) => new HumanRunView(terminal, false, undefined, true),
        (terminal: ReturnType<typeof fakeTerminal>) => new JsonRunView(terminal),
      ]) {
        const terminal = fakeTerminal();
        const view = create(terminal);
        play(view, of, all);
        await view.end();
        if (hasFailed(of, all)) expect(lastLine(terminal.written.out)).not.toMatch(CLAIMS);
      }
    }),
  );
});

test("the head of a report claims a complete run without findings only if nothing failed", async () => {
  await fc.assert(
    fc.asyncProperty(command, stacks, async (of, all) => {
      let report: Report | undefined;
      const collector = new ReportCollector(of, async (collected) => {
        report = collected;
      });
      play(collector, of, all);
      await collector.end();
      const isFailed = hasFailed(of, all);
      expect(report!.result === "failed").toBe(isFailed);
      if (!isFailed) return;
      expect(markdownReport(report!).split("\n###")[0]).not.toMatch(CLAIMS);
      expect(htmlReport(report!).split("<h1>")[1]!.split("<h2")[0]).not.toMatch(CLAIMS);
    }),
  );
});

test("a run without errors still says that it is complete", async () => {
  const terminal = fakeTerminal();
  const view = new HumanRunView(terminal, false);
  play(view, "apply", [
    { findings: 1, error: "none" },
    { findings: 0, error: "none" },
  ]);
  await view.end();
  expect(lastLine(terminal.written.out)).toContain("Apply complete!");
});
