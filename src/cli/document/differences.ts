import { type Row, rowsOf } from "../difference";
import type { ReportAttribute, ReportObject } from "./model";

type Shown = Pick<ReportObject, "attributes" | "action">;

const ROWS = new WeakMap<readonly ReportAttribute[], readonly Row[]>();

/** The lines of what differs, as a plan shows it. What an import takes over has no marks. */
export function rowsIn({ attributes, action }: Shown): readonly Row[] {
  const known = ROWS.get(attributes);
  if (known !== undefined) return known;
  const rows = rowsOf(attributes, { isUnmarked: action === "import" });
  ROWS.set(attributes, rows);
  return rows;
}

/** The same as text. */
export const diffOf = (object: Shown): string => rowsIn(object).map(lineOf).join("\n");

/** A line without the indentation that a plan has around objects. */
export const lineOf = ({ depth, mark, text }: Row): string => `${" ".repeat(4 * depth)}${mark} ${text}`;
