// `npm run mutants -- --random N --seed S`: takes a random sample of syntactic mutants and runs the tests against each
// mutant.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Candidate, candidatesOf } from "./candidates";
import { numbersOf } from "./sample";
import { Suites } from "./suites";
import { summaryOf, type Verdict } from "./summary";
import { Workspace } from "./workspace";

const ROOT = path.join(__dirname, "..", "..", "..");
const USAGE = `npm run mutants -- --random N --seed S [--work FOLDER] [--after EARLIER] [--seconds LIMIT] [--part PART]
  N        mutants that the compiler accepts; those that it rejects are counted beside them
  S        decides which ones; the same seed gives the same mutants on the same commit
  FOLDER   a clone of HEAD, what its suites run, and the verdicts, from which a run resumes (dist/mutants/COMMIT)
  EARLIER  the FOLDER of a run on an earlier commit: its coverage counts for suites that did not change
  PART     1/2 or 2/2 judges every second mutant in a clone of its own; a run without it takes all verdicts together
  LIMIT    how many calibrated seconds of suites a mutant is given, the nearest suites first (120)
`;
/** Sources in which no mutants are made: generated files, and samples, which are data of tests and pages. */
const NOT_BY_HAND = /(^|\/)generated\/|\.sample\.ts$|\/samples\/|\.d\.m?ts$/;

interface Mutant extends Candidate {
  readonly file: string;
}

/** Returns all mutants of a checkout, file by file. */
function candidatesIn(workspace: Workspace): Mutant[] {
  const files = sourcesOf(workspace.folder);
  return files.flatMap((file) => candidatesOf(workspace.read(file)).map((one) => ({ ...one, file })));
}

const sourcesOf = (folder: string): string[] =>
  readdirSync(path.join(folder, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.split(path.sep).join("/")}`)
    .filter((name) => name.endsWith(".ts") && !NOT_BY_HAND.test(name))
    .sort();

class Judge {
  readonly #workspace: Workspace;
  readonly #suites: Suites;
  readonly #limit: number;

  constructor(workspace: Workspace, limit: number) {
    this.#workspace = workspace;
    this.#suites = new Suites(workspace.coverage, workspace.times);
    this.#limit = limit;
  }

  async judge(index: number, mutant: Mutant): Promise<Verdict> {
    const { file, start, end, to, kind } = mutant;
    const text = this.#workspace.read(file);
    const described = { index, place: placeOf(text, mutant), change: changeOf(text, mutant), kind };
    this.#workspace.write(file, text.slice(0, start) + to + text.slice(end));
    try {
      if (!(await this.#workspace.compile())) return { ...described, verdict: "rejected" };
      const all = this.#suites.of(file, text, mutant);
      const { chosen, seconds } = this.#within(all);
      const suites = `${chosen.length} of ${all.length}`;
      if (chosen.length === 0) return { ...described, verdict: "survived", suites };
      const outcome = await this.#workspace.test(chosen, seconds);
      if (outcome === "passed") return { ...described, verdict: "survived", suites };
      return { ...described, verdict: "killed", by: outcome.killedBy, suites };
    } finally {
      this.#workspace.write(file, text);
    }
  }

  /** Returns the first suites whose total time does not exceed the limit. */
  #within(suites: readonly string[]): { readonly chosen: readonly string[]; readonly seconds: number } {
    const chosen: string[] = [];
    let seconds = 0;
    for (const suite of suites) {
      if (chosen.length > 0 && seconds + this.#suites.secondsOf(suite) > this.#limit) break;
      chosen.push(suite);
      seconds += this.#suites.secondsOf(suite);
    }
    return { chosen, seconds };
  }
}

const placeOf = (text: string, { file, start }: Mutant): string =>
  `${file}:${text.slice(0, start).split("\n").length}`;

function changeOf(text: string, { start, end, to }: Mutant): string {
  const brief = (part: string): string => part.replace(/\s+/g, " ").trim().slice(0, 60);
  const line = text.slice(text.lastIndexOf("\n", start) + 1, text.indexOf("\n", end));
  return `${brief(text.slice(start, end))} → ${brief(to)}   in: ${line.trim().slice(0, 100)}`;
}

function readRecord(file: string): Map<number, Verdict> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const verdict: Verdict = JSON.parse(line);
      return [verdict.index, verdict];
    }),
  );
}

function print({ index, verdict, place, change, by }: Verdict): void {
  console.log(
    `${verdict.padEnd(9)}${index} ${place} ${change}${by === undefined ? "" : `\n         by ${by}`}`,
  );
}

interface Asked {
  readonly wanted: number;
  readonly seed: string;
  readonly work: string | undefined;
  readonly after: string | undefined;
  readonly seconds: number;
  readonly part: Part;
}

/** Selects the mutants whose index has the remainder `number` after a division by `of`. */
interface Part {
  readonly number: number;
  readonly of: number;
}

function parse(words: readonly string[]): Asked {
  const text = { type: "string" } as const;
  const options = { random: text, seed: text, work: text, after: text, seconds: text, part: text };
  const { values } = parseArgs({ args: [...words], options });
  const { random, seed, work, after, seconds = "120", part = "1/1" } = values;
  const wanted = Number(random);
  const [number, of] = part.split("/").map(Number);
  const isPart = number !== undefined && of !== undefined && number >= 1 && number <= of;
  if (!Number.isSafeInteger(wanted) || wanted < 1 || seed === undefined || !isPart) throw new Error(USAGE);
  return { wanted, seed, work, after, seconds: Number(seconds), part: { number: number - 1, of } };
}

/** Judges mutants until the compiler has accepted the requested number of them. */
export async function runRandom(words: readonly string[]): Promise<void> {
  const { wanted, seed, work, after, seconds, part } = parse(words);
  const git = (...given: readonly string[]): string =>
    execFileSync("git", given, { cwd: ROOT, encoding: "utf8" }).trim();
  const commit = git("rev-parse", "HEAD");
  if (git("status", "--porcelain", "--", "src", "test") !== "")
    console.error("Changes of src and test that are not committed are left out.");
  const folder = path.resolve(work ?? path.join(ROOT, "dist", "mutants", commit.slice(0, 12)));
  const workspace = new Workspace(folder, part.number);
  await workspace.prepare(ROOT, commit, after === undefined ? undefined : path.resolve(after));
  const candidates = candidatesIn(workspace);
  console.log(`${candidates.length} candidate places, seed ${seed}, ${folder}`);
  const judge = new Judge(workspace, seconds);
  const record = path.join(folder, `seed-${seed}.jsonl`);
  const known = readRecord(record);
  const verdicts: Verdict[] = [];
  let [index, accepted] = [-1, 0];
  for (const number of numbersOf(seed, candidates.length)) {
    index += 1;
    if (index % part.of !== part.number) continue;
    const verdict = known.get(index) ?? (await judge.judge(index, candidates[number]!));
    if (!known.has(index)) {
      appendFileSync(record, `${JSON.stringify(verdict)}\n`);
      print(verdict);
    }
    verdicts.push(verdict);
    if (verdict.verdict !== "rejected") accepted += 1;
    if (accepted >= wanted / part.of) break;
  }
  console.log(`\n${summaryOf(verdicts)}`);
}
