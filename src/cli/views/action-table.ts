import { compareNatural, oneLine } from "../../text";
import type { ReportObject } from "../document/model";
import type { DriftedStack, PlannedStack } from "../document/stack-parts";
import type { Style } from "../printing/style";

/** The columns of a table, in their order. */
const COLUMNS = ["create", "update", "replace", "destroy", "import", "move", "forget", "read"] as const;
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

const columnOf = (action: Exclude<NonNullable<ReportObject["action"]>, "no-op">): Column =>
  action === "delete" ? "destroy" : action;
