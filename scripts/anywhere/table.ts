// Writes the table in docs/contributing.md. The table has a row for each setting, with the commit and the day of its
// last run.
import type { Setting } from "./setting";

const BEGIN = "<!-- test:anywhere -->";
const END = "<!-- /test:anywhere -->";
const HEAD = [
  "| Setting | `npm ci` | `npm test` | Tests | Skipped | Time | Commit | Day |",
  "|---|---|---|---|---|---|---|---|",
];

/** The result of a run in a setting. */
export interface Result {
  /** The exit code of the installation. `tests` is the exit code of the tests; undefined if the installation failed. */
  readonly install: number;
  readonly tests: number | undefined;
  readonly passed: number;
  readonly failed: number;
  /** The number of skipped tests, by the missing program or service that they need. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly commit: string;
  /** The day of the run, as YYYY-MM-DD. */
  readonly day: string;
}

export const isWell = ({ install, tests }: Result): boolean => install === 0 && tests === 0;

export function rowOf({ title }: Setting, result: Result): string {
  const { install, tests, passed, failed, skipped, seconds, commit, day } = result;
  const needs = Object.entries(skipped).map(([need, count]) => `${count} (${need})`);
  const cells = [
    title,
    install,
    tests ?? "not run",
    failed === 0 ? passed : `${passed}, ${failed} failed`,
    needs.length === 0 ? "0" : needs.join(", "),
    `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`,
    `\`${commit.slice(0, 8)}\``,
    day,
  ];
  return `| ${cells.join(" | ")} |`;
}

/**
 * Returns a page with the rows of these results. The rows of other settings stay unchanged.
 * @throws Error if the page has no place for the table
 */
export function withRows(
  page: string,
  settings: readonly Setting[],
  results: ReadonlyMap<string, Result>,
): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The page has no ${BEGIN} … ${END}.`);
  const former = page.slice(begin, end).split("\n");
  const rows = settings.map((setting) => {
    const result = results.get(setting.name);
    if (result !== undefined) return rowOf(setting, result);
    return former.find((line) => line.startsWith(`| ${setting.title} |`)) ?? notRun(setting);
  });
  return `${page.slice(0, begin)}${[BEGIN, ...HEAD, ...rows].join("\n")}\n${page.slice(end)}`;
}

const notRun = ({ title }: Setting): string => `| ${title} | not run | not run | | | | | |`;
