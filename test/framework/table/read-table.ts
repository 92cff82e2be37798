import type { Verdict, Why } from "../../../src/framework/table/decide";
import { COLUMNS, type Column, RELATIONS, type Row } from "../../../src/framework/table/row";

/** The values that a line fits, by column; it fits every value of other columns. */
export type Pattern = Readonly<Partial<Record<Column | "neighbour", string>>>;

/** A row with at most one neighbour. */
export type Combination = Row & { readonly neighbour: string };

export interface Line {
  readonly text: string;
  readonly fits: (row: Combination) => boolean;
  readonly verdict: Verdict;
  readonly why: Why;
}

export interface Section {
  readonly title: string;
  readonly fits: (row: Combination) => boolean;
  readonly lines: readonly Line[];
}

/** The values of all columns, and of a neighbour. */
const VALUES: Readonly<Record<string, readonly string[]>> = { ...COLUMNS, neighbour: ["none", ...RELATIONS] };

/** Returns a test for a pattern such as `{ held: "here or deposed" }`. Throws for a column or a value that does not exist. */
export function fits(pattern: Readonly<Record<string, string>>): (row: Combination) => boolean {
  const wanted = Object.entries(pattern).map(([column, cell]) => {
    const values = cell.split(" or ");
    for (const value of values)
      if (VALUES[column]?.includes(value) !== true) throw new Error(`${column} has no value ${value}`);
    return [column as keyof Combination, values] as const;
  });
  return (row) => wanted.every(([column, values]) => values.includes(row[column]));
}

/** Reads a table of lines whose cells are values of the columns; an empty cell fits every value. */
export function readTable(title: string, given: Pattern, table: string): Section {
  const [head, , ...body] = table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  const lines = body.map((cells): Line => {
    const named = Object.fromEntries(head!.map((name, at) => [name, cells[at]!]));
    const { verdict, why, ...columns } = named;
    const pattern = Object.fromEntries(Object.entries(columns).filter(([, cell]) => cell !== ""));
    return {
      text:
        Object.entries(pattern)
          .map(([column, cell]) => `${column} ${cell}`)
          .join(", ") || "otherwise",
      fits: fits(pattern),
      verdict: verdict as Verdict,
      why: why as Why,
    };
  });
  return { title, fits: fits(given), lines };
}

/** All combinations of values. */
export function* combinations(): Generator<Combination> {
  const columns = Object.entries(VALUES);
  const places = columns.map(() => 0);
  for (;;) {
    const row: Record<string, string> = {};
    for (let at = 0; at < columns.length; at += 1) row[columns[at]![0]] = columns[at]![1][places[at]!]!;
    yield row as unknown as Combination;
    let at = columns.length - 1;
    for (; at >= 0; at -= 1) {
      places[at]! += 1;
      if (places[at]! < columns[at]![1].length) break;
      places[at] = 0;
    }
    if (at < 0) return;
  }
}
