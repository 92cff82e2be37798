import { readFileSync } from "node:fs";
import { appFilesOnStack, textOf } from "./caller";

/** Matches the first line of a row in a table of the app, such as `"acme/web": [`. */
const ROW = /^\s*(["'`])([^"'`]+)\1:\s*\[/;

/** The line of each row in a file, counted from 1, by the key of the row. The line is undefined if several rows have this key. */
type Rows = ReadonlyMap<string, number | undefined>;

const rowsOfFiles = new Map<string, Rows>();
const positions = new WeakMap<object, string>();
let current: string | undefined;

/**
 * Finds the row of a project in a table of the app, and records the row's position for `rowOf`. If one loop creates all
 * constructs, their position in the code is the loop, and does not show which row a construct comes from.
 * @param config the options of the project, which come from the row
 * @param callee the function that the loop calls
 */
export function recordRow(config: object, project: string, callee: (...args: never[]) => unknown): void {
  for (const file of appFilesOnStack(callee)) {
    const line = rowsIn(file).get(project);
    if (line === undefined) continue;
    positions.set(config, textOf({ file, line }));
    return;
  }
}

/** Returns the position of the table row that contains these options, such as `web.ts:14`; undefined if no row is recorded. */
export const rowOf = (config: object): string | undefined => positions.get(config);

/** Returns the position of the row whose constructs the app is creating; undefined outside of `enterRow`. */
export const currentRow = (): string | undefined => current;

/** Gives new constructs the position of a row, until the returned function is called. */
export function enterRow(row: string | undefined): () => void {
  const before = current;
  current = row;
  return () => {
    current = before;
  };
}

function rowsIn(file: string): Rows {
  const known = rowsOfFiles.get(file);
  if (known !== undefined) return known;
  const rows = new Map<string, number | undefined>();
  for (const [at, line] of linesOf(file).entries()) {
    const [, , key] = ROW.exec(line) ?? [];
    if (key !== undefined) rows.set(key, rows.has(key) ? undefined : at + 1);
  }
  rowsOfFiles.set(file, rows);
  return rows;
}

/** Returns the lines of a source file; an empty list for compiled code, because people do not edit such code. */
function linesOf(file: string): readonly string[] {
  try {
    const text = readFileSync(file, "utf8");
    const isCompiled = !/\.[mc]?tsx?$/.test(file) && text.includes("//# sourceMappingURL=");
    return isCompiled ? [] : text.split("\n");
  } catch {
    // A file that exists only in memory has no row that a person can edit.
    return [];
  }
}
