import { keyOf, type ObjectCode } from "./code";
import type { ConstructStatement } from "./statements";

/** Statements that create constructs of one class. The app has a table and a loop instead of these statements. */
export interface FoldedStatements {
  readonly construct: string;
  readonly rows: readonly ConstructStatement[];
  /** The options that all rows have in common. */
  readonly common: ObjectCode["entries"];
  /** The names of the options in which the rows differ. */
  readonly own: readonly string[];
}

/** The minimum number of statements that become rows of a table. */
const FEWEST = 8;

/**
 * Replaces many consecutive statements by a table and a loop if they differ only in single values. Statements that differ in
 * other ways stay unchanged.
 */
export function foldStatements(
  statements: readonly ConstructStatement[],
): readonly (ConstructStatement | FoldedStatements)[] {
  const runs: ConstructStatement[][] = [];
  for (const statement of statements) {
    const last = runs.at(-1);
    if (last !== undefined && shapeOf(last[0]!) === shapeOf(statement)) last.push(statement);
    else runs.push([statement]);
  }
  return runs.flatMap<ConstructStatement | FoldedStatements>((rows) =>
    rows.length < FEWEST || !isFlat(rows[0]!) ? rows : [folded(rows)],
  );
}

const shapeOf = ({ construct, config }: ConstructStatement): string =>
  [construct, ...config.entries.map(([key]) => (typeof key === "string" ? key : keyOf(key)))].join(" ");

/** Returns whether every option is a single value with a plain name. */
const isFlat = ({ config }: ConstructStatement): boolean =>
  config.entries.every(
    ([key, value]) => typeof key === "string" && value.kind !== "list" && value.kind !== "object",
  );

function folded(rows: readonly ConstructStatement[]): FoldedStatements {
  const [first] = rows;
  const { construct, config } = first!;
  const isCommon = (at: number): boolean =>
    rows.every((row) => keyOf(row.config.entries[at]![1]) === keyOf(config.entries[at]![1]));
  return {
    construct,
    rows,
    common: config.entries.filter((_, at) => isCommon(at)),
    own: config.entries.flatMap(([key], at) => (isCommon(at) ? [] : [key as string])),
  };
}
