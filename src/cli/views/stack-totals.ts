import { compareNatural, counted, namesUpTo, oneLine } from "../../text";
import type { ReportObject } from "../document/model";
import { type Counts, type DriftedStack, type PlannedStack, sumOf } from "../document/stack-parts";
import type { Style } from "../printing/text";
import { doneSentence, failedSentence, planSentence } from "./summary";

/** The result of a command for one stack. */
export interface StackResult {
  readonly of: "plan" | "apply" | "destroy" | "drift";
  readonly counts: Counts;
  /** Whether there are changes, or drift, also if that is ignored or known. */
  readonly hasFindings: boolean;
}

/** The maximum number of stacks that a line names. */
const MAX_NAMES = 100;

/** Collects the results of several stacks, for the lines at the end of the run. */
export class StackTotals {
  /** The latest result of each stack; undefined until there is one. */
  readonly #results = new Map<string, StackResult | undefined>();
  /** The stacks with an error, or with an object that could not be checked. */
  readonly #failed = new Set<string>();

  start(stack: string): void {
    this.#results.set(stack, undefined);
  }

  add(stack: string, result: StackResult): void {
    this.#results.set(stack, result);
    if ((result.counts["unchecked"] ?? 0) > 0) this.fail(stack);
  }

  /** An error concerns the stack: its result is incomplete, whatever it counts. */
  fail(stack: string): void {
    this.#failed.add(stack);
  }

  hasFailed(stack: string): boolean {
    return this.#failed.has(stack);
  }

  get hasFailures(): boolean {
    return this.#failed.size > 0;
  }

  /**
   * The stacks without findings on one line, and the total. Empty for a single stack, whose own output says it all.
   *
   * @param isNeeded a single stack has a total as well, because it has no other output
   */
  render(style: Style, isNeeded: boolean): string[] {
    const { bold, green, yellow, red } = style;
    const all = [...this.#results];
    if (all.length === 1 && isNeeded) return [bold(sentenceOf(all[0]![1], this.hasFailures))];
    if (all.length < 2) return [];
    const of = all.find(([, result]) => result !== undefined && result.of !== "plan")?.[1]?.of ?? "plan";
    const named = (isMatch: (result: StackResult | undefined, hasFailed: boolean) => boolean) =>
      all
        .filter(([name, result]) => isMatch(result, result === undefined || this.#failed.has(name)))
        .map(([name]) => oneLine(name));
    const failed = named((_, hasFailed) => hasFailed);
    const clean = named((result, hasFailed) => result?.hasFindings === false && !hasFailed);
    // A stack of which a part failed may have changes or drift as well.
    const found = named((result) => result?.hasFindings === true);
    const what = of === "drift" ? "drift" : "changes";
    const nothing = failed.length === 0 ? [green(`no ${what}`)] : [];
    const foundPart =
      found.length === 0
        ? nothing
        : [yellow(`${found.length} with ${what} (${namesUpTo(MAX_NAMES, found)})`)];
    const failedPart =
      failed.length === 0 ? [] : [red(`${failed.length} failed (${namesUpTo(MAX_NAMES, failed)})`)];
    const own = all.flatMap(([, result]) => (result?.of === of ? [result.counts] : []));
    const counts = sumOf([{ add: 0, change: 0, remove: 0 }, ...own]);
    const end = endOf(of, counts, found.length > 0, failed.length > 0);
    const line = `${all.length} stacks: ${[...foundPart, ...failedPart].join(", ")}${end}`;
    return [
      ...(clean.length === 0 || clean.length === all.length
        ? []
        : [`No ${what} in ${counted(clean.length, "stack")}: ${namesUpTo(MAX_NAMES, clean)}`]),
      bold(line),
    ];
  }
}

/** The counts of a single stack. */
function sentenceOf(result: StackResult | undefined, hasFailed: boolean): string {
  if (result === undefined) return "Failed.";
  const { of, counts, hasFindings } = result;
  if (of === "drift") {
    const { checked = 0, drifted = 0 } = counts;
    const found = hasFindings || hasFailed ? `${drifted} drifted.` : "No drift.";
    return `${found} ${counted(checked, "object")} checked.${failedSentence(counts)}`;
  }
  return of === "plan" ? planSentence(counts) : doneSentence(of, counts, hasFailed);
}

function endOf(of: StackResult["of"], counts: Counts, hasFound: boolean, hasFailed: boolean): string {
  if (of === "drift") {
    const { checked = 0, drifted = 0 } = counts;
    const driftedPart = drifted === 0 ? "" : `, ${counted(drifted, "object")} drifted`;
    return `${driftedPart}, ${counted(checked, "object")} checked.${failedSentence(counts)}`;
  }
  if (!hasFound) return `.${failedSentence(counts)}`;
  return `. ${of === "plan" ? planSentence(counts) : doneSentence(of, counts, hasFailed)}`;
}

/** The columns of a table, in their order. */
const COLUMNS = ["add", "change", "replace", "destroy", "import", "move", "forget", "read"] as const;
const DRIFT_COLUMNS = ["changed", "vanished"] as const;

type Column = (typeof COLUMNS)[number] | (typeof DRIFT_COLUMNS)[number];

/** Counts objects by type and action, over all stacks of a run. */
export class ActionTable {
  readonly #counts = new Map<string, Map<Column, number>>();

  addPlan({ plan, objects }: PlannedStack): void {
    const isRefresh = plan.mode === "refresh-only";
    for (const { type, action } of objects)
      if (isRefresh) this.#add(type, action === "delete" ? "vanished" : "changed");
      else if (action !== undefined && action !== "no-op") this.#add(type, columnOf(action));
  }

  addDrift({ objects }: DriftedStack): void {
    for (const { type, status } of objects) this.#add(type, status === "vanished" ? status : "changed");
  }

  /** A line for each type. Columns without a count are left out; without any object there is no line. */
  render({ bold }: Style): string[] {
    const rows = [...this.#counts].sort(([one], [other]) => compareNatural(one, other));
    if (rows.length === 0) return [];
    const columns = [...COLUMNS, ...DRIFT_COLUMNS].filter((column) =>
      rows.some(([, row]) => row.has(column)),
    );
    const width = Math.max(...rows.map(([type]) => oneLine(type).length));
    const line = (first: string, cells: readonly (string | number)[]) =>
      [first.padEnd(width), ...cells.map((cell, at) => String(cell).padStart(columns[at]!.length))].join(
        "  ",
      );
    return [
      bold(line("", columns)),
      ...rows.map(([type, row]) =>
        line(
          oneLine(type),
          columns.map((column) => row.get(column) ?? 0),
        ),
      ),
    ];
  }

  #add(type: string, column: Column): void {
    const row = this.#counts.get(type) ?? new Map<Column, number>();
    this.#counts.set(type, row);
    row.set(column, (row.get(column) ?? 0) + 1);
  }
}

function columnOf(action: Exclude<NonNullable<ReportObject["action"]>, "no-op">): Column {
  if (action === "create") return "add";
  if (action === "update") return "change";
  return action === "delete" ? "destroy" : action;
}
