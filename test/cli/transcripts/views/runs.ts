import { parse } from "yaml";
import type { Report, ReportCommand } from "../../../../src/cli/document/model";
import { MergedRunView } from "../../../../src/cli/views/create-run-view";
import { HumanRunView } from "../../../../src/cli/views/human-run-view";
import { JsonRunView } from "../../../../src/cli/views/json/json-run-view";
import { RunView } from "../../../../src/cli/views/run-view";
import { type Diagnostic, error, warning } from "../../../../src/diagnostics";
import type { ApplyResult, DriftReport, Plan, UnmanagedObject } from "../../../../src/engine";
import { createProvider } from "../../../../src/provider";
import { UNKNOWN } from "../../../../src/schema";
import { emptyState } from "../../../../src/state/model/model";
import { reportOf } from "../../reports/support/runs";
import { ATTRIBUTES, change, objects, output, plan } from "../../support/models";
import { fakeTerminal } from "../../support/terminal";

type Data = Readonly<Record<string, unknown>>;
const SUMMARY = { add: 0, change: 0, remove: 0, import: 0, move: 0 };

/**
 * Expands the data of a transcript. The text `(unknown)` becomes an unknown value. An element `{repeat: 5, …}` becomes five
 * elements. In each of these, `%` becomes the number of the element.
 */
export function expanded(value: unknown, count = "%"): unknown {
  if (value === "(unknown)") return UNKNOWN;
  if (typeof value === "string") return value.replaceAll("%", count);
  if (Array.isArray(value)) return value.flatMap((one) => repeated(one, count));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, expanded(one, count)]));
}

function repeated(one: unknown, count: string): unknown[] {
  if (typeof one !== "object" || one === null || !("repeat" in one)) return [expanded(one, count)];
  const { repeat, ...rest } = one as { repeat: number };
  return Array.from({ length: repeat }, (_, index) => expanded(rest, String(index + 1)));
}

const list = (value: unknown): Data[] => (value ?? []) as Data[];
const { resources } = createProvider().schema;
/** Returns a change, which is a no-op by default. A type of the provider has the provider's attributes. */
export const changeOf = (data: Data) =>
  change({
    ...{ action: "no-op", before: null, after: null },
    attributes: resources[data["type"] as string]?.attributes ?? ATTRIBUTES,
    ...data,
  } as Parameters<typeof change>[0]);
const diagnosticOf = ({ severity, ...data }: Data): Diagnostic =>
  (severity === "warning" ? warning : error)({
    code: "internal_error",
    summary: "S",
    detail: "d",
    ...data,
  } as Parameters<typeof error>[0]);
const diagnosticsOf = (value: unknown) => list(value).map(diagnosticOf);

const planOf = ({ changes, drift, outputs, diagnostics, summary, ...rest }: Data): Plan =>
  plan({
    changes: list(changes).map(changeOf),
    drift: list(drift).map(changeOf),
    outputs: list(outputs).map((one) => output(one as Parameters<typeof output>[0])),
    diagnostics: diagnosticsOf(diagnostics),
    summary: { ...SUMMARY, ...(summary as object) },
    ...rest,
  });

const driftedOf = ({ kind = "changed", attributes = [], declared = {}, ...data }: Data) => ({
  ...{ kind, attributes, declared },
  change: changeOf({ action: kind === "vanished" ? "delete" : "update", ...data }),
});
function driftOf({ drifted: told, checked = 0, unchecked, diagnostics }: Data) {
  const drifted = list(told).map(driftedOf);
  const others = objects(Math.max(0, Number(checked) - drifted.length));
  return {
    drifted,
    objects: [...drifted.map((one) => one.change), ...others],
    unchecked: list(unchecked).map(({ address, ...one }) => ({
      object: { ...objects(1)[0]!, address },
      diagnostics: diagnosticsOf(one["diagnostics"]),
    })),
    scans: [],
    diagnostics: diagnosticsOf(diagnostics),
  } as unknown as DriftReport;
}
const suppressedOf = ({ known, ignored }: Data) =>
  ({ known: list(known), ignored: list(ignored) }) as unknown as Parameters<RunView["drift"]>[1];

const appliedOf = ({ outputs = {}, done, diagnostics, unchecked }: Data) =>
  ({
    state: { ...emptyState(), outputs },
    done: { ...SUMMARY, ...(done as object) },
    diagnostics: diagnosticsOf(diagnostics),
    unchecked: list(unchecked),
  }) as unknown as ApplyResult;

/** The events of a run, in the order of a transcript. Each view gets all these events. */
export class Run {
  readonly #calls: ((view: RunView) => void)[] = [];
  #command: ReportCommand = "plan";
  isMerged = false;
  isSummary = false;

  /** Adds an event to the run. Returns whether the word is the name of an event. */
  take(word: string, rest: string, data: () => unknown): boolean {
    if (word === "stacks") return this.#takeStacks(rest);
    const tell = this.#callOf(word, rest, data);
    if (tell === undefined) return false;
    if (this.#calls.length === 0 && !word.startsWith("stack"))
      this.#calls.push((view) => view.stack(undefined, 1));
    this.#calls.push(tell);
    if (word === "drift") this.#command = word;
    return true;
  }

  /** Handles `stacks 2-4 5 plan data`: stacks 2 to 4 of five have the same data, in which `%` is the stack's number. */
  #takeStacks(rest: string): boolean {
    const [, from, to, count, word, data] = /^(\d+)-(\d+) (\d+) (\w+) (.*)$/s.exec(rest)!;
    for (let number = Number(from); number <= Number(to); number++) {
      this.take("stack", `s-p${number} ${count}`, () => undefined);
      this.take(word!, data!, () => expanded(parse(data!), String(number)));
    }
    return true;
  }

  #callOf(word: string, rest: string, data: () => unknown): ((view: RunView) => void) | undefined {
    const of = () => data() as Data;
    switch (word) {
      case "stack": {
        const [, name, count] = /^(.*) (\d+)$/.exec(rest)!;
        return (view) => view.stack(JSON.parse(`"${name}"`) as string, Number(count));
      }
      case "plan":
        return (view) => view.plan(planOf(of()));
      case "drift":
        return (view) => view.drift(driftOf(of()), suppressedOf(of()));
      case "applied":
        return (view) => view.applied("normal", appliedOf(of()));
      case "diagnostics":
        return (view) => view.diagnostics(diagnosticsOf(data()));
      case "unmanaged":
        return (view) => {
          const { objects: found, containers } = of();
          const all = list(found).map((one) => ({ ...one, attributes: ATTRIBUTES }));
          view.unmanaged(all as unknown as UnmanagedObject[], Number(containers), suppressedOf({}));
        };
      case "event":
        return (view) => view.tell(data() as Parameters<RunView["tell"]>[0]);
    }
    return undefined;
  }

  async #play(view: RunView): Promise<void> {
    for (const call of this.#calls) call(view);
    await view.end();
  }

  /** Returns the output for people. */
  async text(): Promise<{ readonly out: string; readonly err: string }> {
    const terminal = fakeTerminal();
    const View = this.isMerged ? MergedRunView : HumanRunView;
    await this.#play(new RunView(new View(terminal, false, undefined, this.isSummary)));
    return terminal.written;
  }

  /** Returns the events for programs. */
  async events(): Promise<Data[]> {
    const terminal = fakeTerminal();
    await this.#play(new RunView(new JsonRunView(terminal)));
    expect(terminal.written.err).toBe("");
    return terminal.written.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Data);
  }

  /** Returns the document of the reports. */
  report(): Promise<Report> {
    return reportOf(this.#command, (view) => {
      for (const call of this.#calls) call(view);
    });
  }
}
