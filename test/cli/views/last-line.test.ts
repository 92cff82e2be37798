import fc from "fast-check";
import type { Report } from "../../../src/cli/document/model";
import { ReportCollector } from "../../../src/cli/reports/collector";
import { htmlReport } from "../../../src/cli/reports/formats/html";
import { junitReport } from "../../../src/cli/reports/formats/junit";
import { markdownReport } from "../../../src/cli/reports/formats/markdown";
import { widgetReport } from "../../../src/cli/reports/formats/widget";
import { MergedRunView } from "../../../src/cli/views/create-run-view";
import { HumanRunView } from "../../../src/cli/views/human-run-view";
import { JsonRunView } from "../../../src/cli/views/json/json-run-view";
import { RunView } from "../../../src/cli/views/run-view";
import { error } from "../../../src/diagnostics";
import { emptyState } from "../../../src/state/model/model";
import { change, objects, plan } from "../support/models";
import { fakeTerminal } from "../support/terminal";

// Users read the last line of an output first. The tests check that after an error no output claims that the run is complete,
// or that it found no differences.

const suppressed = (known: number) => ({
  ignored: [],
  known: Array.from({ length: known }, (_, at) => ({ name: `acme_thing.n${at}`, fingerprint: `${at}` })),
});
const SUMMARY = { add: 0, change: 0, remove: 0, import: 0, move: 0 };
const CLAIMS =
  /complete!|no changes|no drift|matches the (?:configuration|state)|nothing unmanaged|nobody gains|no new ones|everything found is declared/i;

/** The findings and the error of one stack in a run. */
interface Happening {
  readonly findings: number;
  /** The number of differences that an earlier run already reported. */
  readonly known: number;
  /**
   * The failed part of the run: the plan or comparison (`plan`), the apply, or the preparation of the stack (`stack`). With
   * `unchecked`, the run can't check one object.
   */
  readonly error: "none" | "plan" | "apply" | "stack" | "unchecked";
}
const happening: fc.Arbitrary<Happening> = fc.record({
  findings: fc.constantFrom(0, 0, 1, 2),
  known: fc.constantFrom(0, 0, 1),
  error: fc.constantFrom("none", "none", "plan", "apply", "stack", "unchecked"),
});
const command = fc.constantFrom("plan" as const, "apply" as const, "drift" as const);
const stacks = fc.array(happening, { minLength: 1, maxLength: 4 });

const ACCESS = { places: [], notCounted: [] };
const ERROR = [error({ code: "internal_error", summary: "Failed", detail: "The service fails." })];

function play(view: RunView, of: "plan" | "apply" | "drift", all: readonly Happening[]): void {
  for (const [index, { findings, known, error: where }] of all.entries()) {
    view.stack(all.length === 1 ? undefined : `stack-${index}`, all.length);
    if (where === "stack") {
      view.diagnostics(ERROR);
      continue;
    }
    const addresses = where === "unchecked" ? ["acme_thing.unchecked"] : [];
    const diagnostics = where === "plan" ? ERROR : addresses.map((address) => ({ ...ERROR[0]!, address }));
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
        diagnostics,
      }));
      const seen = [...changes, ...objects(2)];
      const found = { drifted, objects: seen, unchecked, scans: [], diagnostics };
      view.drift(where === "none" ? { ...found, access: ACCESS } : found, suppressed(known));
      continue;
    }
    const summary = { ...SUMMARY, change: findings };
    const planned = plan({ changes, summary, diagnostics, unchecked: addresses });
    view.plan(where === "none" ? { ...planned, access: ACCESS } : planned);
    if (of === "plan") continue;
    const result = { state: emptyState(), done: summary, unchecked: addresses };
    view.applied("normal", { ...result, diagnostics: where === "apply" ? ERROR : [] });
  }
  if (of === "drift") view.unmanaged([], 1, suppressed(all[0]!.known));
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1)!;
const hasFailed = (of: string, all: readonly Happening[]): boolean =>
  all.some(({ error: where }) => where !== "none" && (where !== "apply" || of === "apply"));

async function collected(of: "plan" | "apply" | "drift", all: readonly Happening[]): Promise<Report> {
  let report: Report | undefined;
  const collector = new ReportCollector(of, async (one) => {
    report = one;
  });
  const view = new RunView(collector);
  play(view, of, all);
  await view.end();
  return report!;
}

test("if a part of a run failed, the last line does not claim that the run is complete", async () => {
  await fc.assert(
    fc.asyncProperty(command, stacks, async (of, all) => {
      for (const create of [
        (terminal: ReturnType<typeof fakeTerminal>) => new RunView(new MergedRunView(terminal, false)),
        (terminal: ReturnType<typeof fakeTerminal>) => new RunView(new HumanRunView(terminal, false)),
        (terminal: ReturnType<typeof fakeTerminal>) =>
          new RunView(new HumanRunView(terminal, false, undefined, true)),
        (terminal: ReturnType<typeof fakeTerminal>) => new RunView(new JsonRunView(terminal)),
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

test("if a part of a run failed, the beginning of the report does not claim that the run is complete", async () => {
  await fc.assert(
    fc.asyncProperty(command, stacks, async (of, all) => {
      const report = await collected(of, all);
      const isFailed = hasFailed(of, all);
      expect(report.result === "failed").toBe(isFailed);
      const [, suites] = /<testsuites ([^>]*)>/.exec(junitReport(report))!;
      expect(suites!.includes('errors="0"')).toBe(!isFailed);
      if (!isFailed) return;
      expect(
        markdownReport(report).split(/\n(?:### (?:Changes|Drift|`)|N\w+ (?:else|changes|drift) in \d)/)[0],
      ).not.toMatch(CLAIMS);
      const page = htmlReport(report);
      expect(page.split("<h1>")[1]!.split('<section id="changes"')[0]).not.toMatch(CLAIMS);
      expect(page).not.toContain("Everything found is declared");
    }),
  );
});

test("each output format counts unchecked objects separately from changed objects", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("plan" as const, "drift" as const), stacks, async (of, all) => {
      const seen = all.filter(({ error: where }) => where !== "stack");
      const found = seen.reduce((sum, { findings }) => sum + findings, 0);
      const unchecked = seen.filter(({ error: where }) => where === "unchecked").length;
      const notChecked = `${unchecked} ${unchecked === 1 ? "object" : "objects"} could not be checked`;
      const report = await collected(of, all);
      expect(JSON.parse(widgetReport(report))).toEqual({ create: 0, update: found, delete: 0 });
      const [, failures] = /<testsuites [^>]*failures="(\d+)"/.exec(junitReport(report))!;
      expect(Number(failures)).toBe(of === "drift" ? found : 0);
      const text = fakeTerminal();
      const [human, programs] = [new RunView(new HumanRunView(text, false)), fakeTerminal()];
      const events = new RunView(new JsonRunView(programs));
      for (const view of [human, events]) {
        play(view, of, all);
        await view.end();
      }
      const { drift, changes } = JSON.parse(lastLine(programs.written.out));
      if (seen.length > 0 || of === "drift")
        expect([drift?.changed ?? changes?.change ?? 0, (drift ?? changes).unchecked ?? 0]).toEqual([
          found,
          unchecked,
        ]);
      const page = htmlReport(report).split("</header>")[0]!;
      for (const head of [markdownReport(report), page, text.written.out]) {
        if (unchecked > 0) expect(head).toContain(notChecked);
        else expect(head).not.toContain("could not be checked");
      }
      if (of === "drift" && found > 0) {
        expect(page).toContain(`${found} changed`);
        if (all.length > 1)
          expect(lastLine(text.written.out)).toMatch(RegExp(` ${found} objects? drifted, `));
      }
      if (all.length === 1) return;
      const stacksWith = of === "plan" || !all.some(({ known }) => known > 0);
      const count = (pattern: RegExp, line: string) => Number(pattern.exec(line)?.[1] ?? 0);
      const total = /\n\d+ stacks: .*/.exec(markdownReport(report))![0];
      for (const line of [total, lastLine(text.written.out)]) {
        expect(count(/(\d+) failed/, line)).toBe(all.filter((one) => hasFailed(of, [one])).length);
        if (stacksWith)
          expect(count(/(\d+) with/, line)).toBe(seen.filter(({ findings }) => findings > 0).length);
      }
    }),
  );
});

test("the last line of an apply without errors says that the apply is complete", async () => {
  const terminal = fakeTerminal();
  const view = new RunView(new HumanRunView(terminal, false));
  play(view, "apply", [
    { findings: 1, known: 0, error: "none" },
    { findings: 0, known: 0, error: "none" },
  ]);
  await view.end();
  expect(lastLine(terminal.written.out)).toContain("Apply complete!");
});

test("the last line of an apply counts failed objects separately from unchecked objects", async () => {
  const sentence =
    "Apply incomplete, see the errors. Resources: 0 added, 1 changed, 0 destroyed. 1 object failed. 1 object could not be checked.";
  const [text, events] = [fakeTerminal(), fakeTerminal()];
  for (const view of [new RunView(new HumanRunView(text, false)), new RunView(new JsonRunView(events))]) {
    view.stack(undefined, 1);
    const diagnostics = ["acme_thing.a", "acme_thing.b"].map((address) => ({ ...ERROR[0]!, address }));
    const result = { state: emptyState(), done: { ...SUMMARY, change: 1 }, unchecked: ["acme_thing.b"] };
    view.applied("normal", { ...result, diagnostics });
    await view.end();
  }
  expect(lastLine(text.written.out)).toBe(sentence);
  expect(JSON.parse(lastLine(events.written.out))).toMatchObject({
    "@message": sentence,
    changes: { change: 1, failed: 1, unchecked: 1 },
  });
});
