import { compareNatural, counted, namesUpTo, oneLine } from "../../text";
import { type Counts, type PlannedStack, sumOf } from "../document/counts";
import type { ReportObject } from "../document/model";
import { type RunFindings, type StackFindings, stacksSentence } from "../document/totals";
import { suppressedSentence } from "../findings/finding";
import type { Style } from "../terminal/text";
import { doneSentence, failedSentence, planSentence } from "./summary";

/** The maximum number of stacks that a line of totals names. */
const MAX_NAMES = 100;

/** The result of a command for one stack. */
export interface StackResult {
  readonly of: "plan" | "apply" | "destroy" | "drift";
  readonly counts: Counts;
  /** Whether the stack has changes or drift. */
  readonly hasFindings: boolean;
  /** `known` counts differences that an earlier run reported, and `ignored` counts differences that a waiver accepts. */
  readonly known?: number;
  readonly ignored?: number;
}

/** Collects the results of several stacks, for the lines at the end of the run. */
export class StackTotals {
  /** The latest result of each stack; undefined before its first result. */
  readonly #results = new Map<string, StackResult | undefined>();
  /** The stacks with an error, or with an object that could not be checked. */
  readonly #failed = new Set<string>();
  #unmanaged = 0;

  start(stack: string): void {
    this.#results.set(stack, undefined);
  }

  add(stack: string, result: StackResult): void {
    this.#results.set(stack, result);
    if ((result.counts["unchecked"] ?? 0) > 0) this.fail(stack);
  }

  /** Adds `count` to the number of live objects that no stack declares. */
  addUnmanaged(count: number): void {
    this.#unmanaged += count;
  }

  /** Records that a stack has an error. The result of this stack is then incomplete, even if there are counts. */
  fail(stack: string): void {
    this.#failed.add(stack);
  }

  hasFailed(stack: string): boolean {
    return this.#failed.has(stack);
  }

  get hasFailures(): boolean {
    return this.#failed.size > 0;
  }

  /** The totals of the run so far. A stack without a result counts as failed. */
  get findings(): RunFindings {
    return {
      what: this.#command === "drift" ? "drift" : "changes",
      stacks: [...this.#results].map(([name, result]) => ({
        name,
        // A failed stack may still have changes or drift.
        hasFindings: result?.hasFindings === true,
        hasFailed: result === undefined || this.#failed.has(name),
        known: result?.known ?? 0,
        ignored: result?.ignored ?? 0,
      })),
      unmanaged: this.#unmanaged,
    };
  }

  get #command(): StackResult["of"] {
    const results = [...this.#results.values()];
    return results.find((result) => result !== undefined && result.of !== "plan")?.of ?? "plan";
  }

  /**
   * Renders a line with the stacks without findings, and the total. Returns no lines for a single stack, because the output of
   * that stack already contains its totals.
   *
   * @param isNeeded whether a single stack gets a total too, because it has no other output
   */
  render(style: Style, isNeeded: boolean): string[] {
    const results = [...this.#results.values()];
    if (results.length === 1 && isNeeded)
      return [style.bold(sentenceOf(results[0], this.hasFailures, this.#unmanaged))];
    if (results.length < 2) return [];
    const of = this.#command;
    const { findings } = this;
    const { what, stacks } = findings;
    const clean = stacks.filter(isClean).map(({ name }) => oneLine(name));
    const own = results.flatMap((result) => (result?.of === of ? [result.counts] : []));
    const counts = sumOf([{ add: 0, change: 0, remove: 0 }, ...own]);
    const hasFound = stacks.some(({ hasFindings }) => hasFindings);
    const hasFailed = stacks.some((one) => one.hasFailed);
    return [
      ...(clean.length === 0 || clean.length === stacks.length
        ? []
        : [`No ${what} in ${counted(clean.length, "stack")}: ${namesUpTo(MAX_NAMES, clean)}`]),
      style.bold(`${stacksSentence(findings, style, oneLine)}${endOf(of, counts, hasFound, hasFailed)}`),
    ];
  }
}

const isClean = ({ hasFindings, hasFailed, known, ignored }: StackFindings): boolean =>
  !hasFindings && !hasFailed && known + ignored === 0;

/** Returns the sentence with the counts of a single stack. */
function sentenceOf(result: StackResult | undefined, hasFailed: boolean, unmanaged: number): string {
  if (result === undefined) return "Failed.";
  const { of, counts, hasFindings, known = 0, ignored = 0 } = result;
  if (of === "drift") {
    const { checked = 0, drifted = 0 } = counts;
    const suppressed = suppressedSentence(known, ignored) ?? "No drift";
    const found = hasFindings || hasFailed ? `${drifted} drifted` : suppressed;
    const unmanagedPart = unmanaged === 0 ? "" : ` ${counted(unmanaged, "unmanaged object")}.`;
    return `${found}. ${counted(checked, "object")} checked.${unmanagedPart}${failedSentence(counts)}`;
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

/** The columns of the table with totals, in their order. */
const COLUMNS = ["add", "change", "replace", "destroy", "import", "move", "forget", "read"] as const;
const DRIFT_COLUMNS = ["changed", "vanished", "unmanaged"] as const;

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

  addDrift({ objects }: { readonly objects: readonly ReportObject[] }): void {
    for (const { type, status } of objects)
      this.#add(type, status === "vanished" || status === "unmanaged" ? status : "changed");
  }

  /** Renders a line for each type. Leaves out columns without a count. Returns no lines if there are no objects. */
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
