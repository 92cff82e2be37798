// `npm run soak:simulator`: plays random stories in rounds, and writes the figures to `test/simulator/soak.txt` after
// each round. The command continues a stopped run, even with changed sources: `dist/simulator/soak.jsonl` records the
// seeds and the commit of each round. STORIES=100000 sets the total number of stories, and FROM=100000 the first seed.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildSimulator, simulate } from "../test/simulator/simulator";
import { addUp, NOTHING, type Round, summaryOf } from "../test/simulator/soak";

const ROOT = path.join(__dirname, "..");
const RECORD = path.join(ROOT, "dist", "simulator", "soak.jsonl");
const PAGE = path.join(ROOT, "test", "simulator", "soak.txt");
const FROM = Number(process.env["FROM"] ?? 100_000);
const STORIES = Number(process.env["STORIES"] ?? 100_000);
/** The number of stories in a round. One process plays these stories. */
const ROUND = 200;

interface Recorded extends Round {
  readonly from: number;
  readonly seeds: number;
  readonly commit: string;
}

const recorded = (): Recorded[] =>
  existsSync(RECORD)
    ? readFileSync(RECORD, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Recorded)
    : [];

function write(): void {
  const rounds = recorded();
  const seeds = rounds.reduce((sum, round) => sum + round.seeds, 0);
  const commits = [...new Set(rounds.map(({ commit }) => commit))];
  const text = summaryOf(FROM, seeds, rounds.reduce<Round>(addUp, NOTHING));
  writeFileSync(PAGE, `On the sources of ${commits.join(", ")}, Node ${process.versions.node}.\n\n${text}`);
}

async function main(): Promise<void> {
  mkdirSync(path.dirname(RECORD), { recursive: true });
  const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], {
    cwd: ROOT,
    encoding: "utf8",
  }).trim();
  const program = buildSimulator("soak");
  for (;;) {
    const next = recorded().reduce((at, { from, seeds }) => Math.max(at, from + seeds), FROM);
    const seeds = Math.min(ROUND, FROM + STORIES - next);
    if (seeds <= 0) return;
    const { failures = [], ...played } = await simulate(program, ["--seeds", `${next}+${seeds}`]);
    const line: Recorded = { ...played, failures, from: next, seeds, commit };
    appendFileSync(RECORD, `${JSON.stringify(line)}\n`);
    write();
    console.log(`${next} to ${next + seeds - 1}: ${played.runs} runs, ${failures.length} failures`);
  }
}

main();
