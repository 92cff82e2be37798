// `npm run test:anywhere`: clones the current commit and runs the README's two commands in many settings. The command
// `npm ci` and the command `npm test` must both succeed in each setting.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ownEnvironment, runSetting } from "./anywhere/run-setting";
import type { Setting } from "./anywhere/setting";
import { SETTINGS } from "./anywhere/settings";
import { isWell, type Result, rowOf, withRows } from "./anywhere/table";

const ROOT = path.join(__dirname, "..");
const PAGE = path.join(ROOT, "docs", "contributing.md");
/** The folder for checkouts. On most systems, this folder is on a disk, while TMPDIR can be in memory. */
const WORK = "/var/tmp";
const TAIL = 40;

const USAGE = `npm run test:anywhere [-- [ROW…] [--list] [--write] [--keep] [--work FOLDER]]
  ROW      a setting; all of them where left out
  --list   print the settings, and what this machine lacks for each
  --write  update the table of docs/contributing.md with the rows that ran
  --keep   keep the folders and the output of rows that pass
  --work FOLDER
           where the checkouts go, on a disk (${WORK})
`;

function list(): void {
  for (const { name, title, missing } of SETTINGS) {
    const lack = missing?.();
    console.log(
      `${name.padEnd(16)}${title}${lack === undefined ? "" : `   NOT POSSIBLE HERE: this machine has no ${lack}`}`,
    );
  }
}

function chosen(names: readonly string[]): readonly Setting[] {
  const unknown = names.find((name) => !SETTINGS.some((setting) => setting.name === name));
  if (unknown !== undefined) throw new Error(`There is no row ${unknown}.\n${USAGE}`);
  return names.length === 0 ? SETTINGS : SETTINGS.filter(({ name }) => names.includes(name));
}

const git = (...words: readonly string[]): string =>
  execFileSync("git", words, { cwd: ROOT, encoding: "utf8" }).trim();

interface Run {
  readonly commit: string;
  readonly work: string;
  readonly keeps: boolean;
}

/** Runs one setting and prints its row of the table. */
async function run(setting: Setting, { commit, work, keeps }: Run): Promise<Result> {
  mkdirSync(work, { recursive: true });
  const folder = mkdtempSync(path.join(work, `steward-${setting.name}-`));
  // Some settings run the commands as an ordinary user, who must be able to read the checkout.
  chmodSync(folder, 0o755);
  const log = path.join(folder, "output.txt");
  const place = {
    folder,
    repository: git("rev-parse", "--show-toplevel"),
    commit,
    env: ownEnvironment(process.env),
  };
  const result = await runSetting(setting, place, log);
  console.log(`${rowOf(setting, result)} load ${loadavg()[0]!.toFixed(0)}`);
  if (!isWell(result)) {
    const lines = readFileSync(log, "utf8").split("\n");
    console.error(`${lines.slice(-TAIL).join("\n")}\nThe whole output: ${log}`);
  } else if (!keeps) rmSync(folder, { recursive: true, force: true });
  return result;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: "boolean" },
      write: { type: "boolean" },
      keep: { type: "boolean" },
      help: { type: "boolean" },
      work: { type: "string", default: WORK },
    },
  });
  if (values.help) return console.log(USAGE);
  if (values.list) return list();
  const settings = chosen(positionals);
  const given = {
    commit: git("rev-parse", "HEAD"),
    work: path.resolve(values.work),
    keeps: values.keep === true,
  };
  if (git("status", "--porcelain") !== "") console.error("Changes that are not committed are left out.");
  const results = new Map<string, Result>();
  const impossible: string[] = [];
  for (const setting of settings) {
    const lack = setting.missing?.();
    if (lack === undefined) results.set(setting.name, await run(setting, given));
    else impossible.push(`${setting.name}: this machine has no ${lack}`);
  }
  if (values.write) writeFileSync(PAGE, withRows(readFileSync(PAGE, "utf8"), SETTINGS, results));
  const failed = [...results.values()].filter((result) => !isWell(result)).length;
  for (const line of impossible) console.error(`NOT RUN ${line}`);
  console.log(`${results.size - failed} passed, ${failed} failed, ${impossible.length} not run`);
  // A setting that could not run counts as failed.
  process.exitCode = failed + impossible.length === 0 ? 0 : 1;
}

main().catch((problem: unknown) => {
  console.error((problem as Error).stack);
  process.exitCode = 1;
});
