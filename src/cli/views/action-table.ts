import type { ResourceChange } from "../../engine";
import { compareNatural, oneLine } from "../../text";
import { isShown } from "../document/describe";
import type { Style } from "../printing/style";
import type { ShownDrift, ShownPlan } from "./run-view";

/** The columns of a table, in their order. */
const COLUMNS = ["create", "update", "replace", "destroy", "import", "move", "forget", "read"] as const;
const DRIFT_COLUMNS = ["changed", "vanished"] as const;

type Column = (typeof COLUMNS)[number] | (typeof DRIFT_COLUMNS)[number];

/** Counts objects by type and action, over all stacks of a run. */
export class ActionTable {
  readonly #counts = new Map<string, Map<Column, number>>();

  addPlan({ mode, changes, drift }: ShownPlan): void {
    if (mode === "refresh-only") {
      for (const { type, after } of drift) this.#add(type, after === null ? "vanished" : "changed");
    } else for (const change of changes) if (isShown(change)) this.#add(change.type, columnOf(change));
  }

  addDrift({ drifted }: Pick<ShownDrift, "drifted">): void {
    for (const { change, kind } of drifted) this.#add(change.type, kind);
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

function columnOf({ action, importing }: ResourceChange): Column {
  if (action === "delete-then-create" || action === "create-then-delete") return "replace";
  if (action === "delete") return "destroy";
  if (action !== "no-op") return action;
  return importing === undefined ? "move" : "import";
}
