import type { Verdict, Why } from "../../../src/framework/table/decide";
import { COLUMNS, type Column, RELATIONS, type Row } from "../../../src/framework/table/row";

/** The values that a line requires, by column. A column without a required value can have any value. */
export type Pattern = Readonly<Partial<Record<Column | "neighbour", string>>>;

/** The values of all columns, and one neighbour or `none`. A neighbour is another object with a relation to this one. */
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

/** All possible values, by column. The neighbour counts as a column. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...COLUMNS,
  neighbour: ["none", ...RELATIONS],
};

/**
 * Returns a function that tests whether a combination fits a pattern such as `{ held: "here or deposed" }`. Throws for a
 * column or a value that does not exist.
 */
export function fits(pattern: Readonly<Record<string, string>>): (row: Combination) => boolean {
  const wanted = Object.entries(pattern).map(([column, cell]) => {
    const values = cell.split(" or ");
    for (const value of values)
      if (VALUES[column]?.includes(value) !== true) throw new Error(`${column} has no value ${value}`);
    return [column as keyof Combination, values] as const;
  });
  return (row) => wanted.every(([column, values]) => values.includes(row[column]));
}

/** The conditions that a line can contain, each with its column and value. */
const CONDITIONS: Readonly<Partial<Record<string, readonly [column: string, value: string]>>> = {
  "declaration failed": ["declared", "failed"],
  "left out": ["selected", "no"],
  "one address left out": ["selected", "partly"],
  "several addresses": ["held", "several addresses"],
  "on the service": ["live", "present"],
  "not on the service": ["live", "absent"],
  unreadable: ["live", "unreadable"],
  "not read": ["live", "not read"],
  "import block": ["asked", "import"],
  "--import-existing": ["asked", "import existing"],
  "removed block": ["asked", "forget"],
  "as declared": ["difference", "none"],
  differs: ["difference", "update"],
  "must be replaced": ["difference", "replace"],
  "left the fleet (keep)": ["fleet", "keep"],
  "left the fleet (reset)": ["fleet", "reset"],
  "leaving not proven": ["fleet", "not proven"],
  "fleet not recorded": ["fleet", "not recorded"],
  "open change": ["journal", "open"],
  "destroy refused": ["destroy", "refused"],
  ...Object.fromEntries(RELATIONS.map((relation) => [relation, ["neighbour", relation]])),
};

/** Returns the pattern of conditions such as `update, stack has part`. Throws for an unknown condition. */
function patternOf(conditions: string): Pattern {
  if (conditions === "otherwise") return {};
  return Object.fromEntries(
    conditions.split(", ").map((condition) => {
      const values = condition.split(" or ").map((one) => {
        const value = CONDITIONS[one];
        if (value === undefined) throw new Error(`No column has the condition ${one}`);
        return value;
      });
      return [values[0]![0], values.map(([, value]) => value).join(" or ")];
    }),
  );
}

/** Reads a table. Each line has conditions, a verdict and a reason. */
export function readTable(title: string, given: Pattern, table: string): Section {
  const [, , ...body] = table.trim().split("\n");
  const lines = body.map((text): Line => {
    const [when, verdict, why] = text
      .split("|")
      .slice(1)
      .map((cell) => cell.trim());
    return { text: when!, fits: fits(patternOf(when!)), verdict: verdict as Verdict, why: why as Why };
  });
  return { title, fits: fits(given), lines };
}
