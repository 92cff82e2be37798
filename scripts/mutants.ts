// `npm run mutants`: plants faults in Steward's sources, and reports which of them the simulator finds. AREA=lock,cache
// plays only the faults of these areas. FAULT="guard" plays only faults whose names contain this text. RUNS=2000 plays
// more stories for each fault. CONTINUE=1 continues a stopped run. The results are written to
// `test/simulator/mutants.md`. HINTS_ONLY=1 takes a minute: for each fault, it plays only the story that found the
// fault last time. `npm run mutants -- --random N --seed S` tests a random sample of syntactic mutants instead
// (mutants/random/run.ts).
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { SHORT_PROGRAM } from "../test/simulator/short-programs";
import { plantAll } from "./mutants/plant";
import type { PlantedFault } from "./mutants/planted-fault";
import { PLANTED_FAULTS } from "./mutants/planted-faults";
import { runRandom } from "./mutants/random/run";
import { hintsOf, tableOf, type Verdict } from "./mutants/table";

const ROOT = path.join(__dirname, "..");
const PAGE = path.join(ROOT, "test", "simulator", "mutants.md");
const FOLDER = path.join(ROOT, "dist", "simulator");
const PROGRAM = path.join(FOLDER, "mutants.js");
/** The file that records each verdict as a line. A stopped run continues after the last line. */
const RECORD = path.join(FOLDER, "mutants.jsonl");
const RUNS = Number(process.env["RUNS"] ?? 250);
const AT_ONCE = Number(process.env["WORKERS"] ?? 2);
/** If true, each fault is played only with the story that found it last time. */
const HINTS_ONLY = process.env["HINTS_ONLY"] !== undefined;
/** The milliseconds after which a story counts as one that never ends. A story normally takes 50 milliseconds. */
const LIMIT = 120_000;

const { bundle } = require("../test/simulator/bundle.js") as {
  bundle(file: string, changes: ReadonlyMap<string, (text: string) => string>): Promise<unknown>;
};

/** A line that the program prints while it plays stories. */
type Line =
  | { readonly playing: number; readonly story: string }
  | { readonly played: number; readonly by?: string; readonly isReached: boolean }
  | { readonly spoilt: number }
  | { readonly without: string };

const digestOf = ({ file, from, to }: PlantedFault): string =>
  createHash("sha256")
    .update(JSON.stringify([file, from, to]))
    .digest("hex")
    .slice(0, 16);

/** Bundles a program that contains all faults. In the program, a number activates each fault. */
async function build(): Promise<void> {
  const numbered = [...PLANTED_FAULTS.entries()];
  const files = new Set(PLANTED_FAULTS.map(({ file }) => file));
  const changes = [...files].map((file) => {
    const faults = numbered.filter(([, fault]) => fault.file === file);
    return [path.join("src", file), (text: string) => plantAll(text, faults)] as const;
  });
  await bundle(PROGRAM, new Map(changes));
}

/** Returns the verdicts of a stopped run, by the digests of the faults. */
function recorded(): ReadonlyMap<string, Verdict["by"]> {
  if (process.env["CONTINUE"] === undefined || !existsSync(RECORD)) {
    rmSync(RECORD, { force: true });
    return new Map();
  }
  const lines = readFileSync(RECORD, "utf8").trim().split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [digest, by] = JSON.parse(line) as [string, string | null];
      return [digest, by ?? undefined];
    }),
  );
}

class Player {
  readonly #verdicts = new Map<number, Verdict>();
  readonly #hints = hintsOf(readFileSync(PAGE, "utf8"));

  async playAll(numbers: readonly number[]): Promise<void> {
    const waiting: number[] = [];
    const known = recorded();
    for (const number of numbers) {
      const digest = digestOf(PLANTED_FAULTS[number]!);
      if (known.has(digest))
        this.#verdicts.set(number, {
          fault: PLANTED_FAULTS[number]!,
          by: known.get(digest),
          isPlayed: true,
        });
      else waiting.push(number);
    }
    const shares = Array.from({ length: AT_ONCE }, (_, worker) =>
      waiting.filter((_, index) => index % AT_ONCE === worker),
    );
    await Promise.all(shares.map((share, worker) => this.#playShare(share, worker)));
  }

  /** Returns the page and the summary with all verdicts until now. */
  table(): ReturnType<typeof tableOf> {
    const all = PLANTED_FAULTS.map(
      (fault, number): Verdict => this.#verdicts.get(number) ?? { fault, by: undefined, isPlayed: false },
    );
    return tableOf(all, RUNS);
  }

  /**
   * Plays a share of the faults. A new process continues if a process does not end, or if a fault has broken the memory
   * of a process.
   */
  async #playShare(share: readonly number[], worker: number): Promise<void> {
    let restarted = -1;
    for (;;) {
      const open = share.filter((number) => !this.#verdicts.has(number));
      if (open.length === 0) return;
      const end = await this.#playOnce(open, worker);
      if (end.spoilt === restarted)
        throw new Error(`${PLANTED_FAULTS[restarted]!.fault}: its story fails without it`);
      if (end.spoilt !== undefined) restarted = end.spoilt;
      else if (end.playing !== undefined) this.#judge(end.playing, `${end.how} (${end.story})`);
      else if (end.how !== "") throw new Error(end.how);
    }
  }

  #judge(number: number, by: string | undefined, isReached = true): void {
    const fault = PLANTED_FAULTS[number]!;
    this.#verdicts.set(number, { fault, by, isPlayed: true });
    if (HINTS_ONLY && by === undefined) return;
    appendFileSync(RECORD, `${JSON.stringify([digestOf(fault), by ?? null])}\n`);
    if (!HINTS_ONLY) writeFileSync(PAGE, this.table().page);
    const missed = isReached ? "" : ": no story reaches it";
    const how = by === undefined ? missed : `: ${by}`;
    console.log(`${by === undefined ? "MISSED" : "found "} ${fault.area}: ${fault.fault}${how}`);
  }

  #playOnce(open: readonly number[], worker: number): Promise<End> {
    const faults = open.map((number) => ({ number, hint: this.#hints.get(PLANTED_FAULTS[number]!.fault) }));
    const plays = path.join(FOLDER, `mutants-${worker}.json`);
    writeFileSync(plays, JSON.stringify({ faults, seeds: RUNS, hintsOnly: HINTS_ONLY }));
    const child = spawn(process.execPath, [...SHORT_PROGRAM, PROGRAM, "--planted", plays], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    return endOf(child, (number, by, isReached) => this.#judge(number, by, isReached));
  }
}

/** How a process that plays stories ended. `story` is the story that the process was playing at its end. */
interface End {
  readonly how: string;
  readonly playing?: number;
  readonly story?: string;
  readonly spoilt?: number;
}

function endOf(
  child: ChildProcess,
  judge: (number: number, by: string | undefined, isReached: boolean) => void,
): Promise<End> {
  return new Promise((resolve) => {
    let last: Omit<End, "how"> = {};
    let told = "";
    let isStopped = false;
    const stop = (): void => {
      isStopped = true;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(stop, LIMIT);
    createInterface({ input: child.stdout! }).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      clearTimeout(timer);
      timer = setTimeout(stop, LIMIT);
      if ("played" in line) judge(line.played, line.by, line.isReached);
      last = "played" in line || "without" in line ? {} : line;
    });
    child.stderr!.on("data", (text) => {
      told += text;
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      // A different process ended this process, so its current fault gets no verdict.
      if (signal !== null && !isStopped) return resolve({ how: `ended by ${signal}` });
      const problem = /^\w*Error.*/m.exec(told)?.[0] ?? "";
      const failure = code === 0 ? "" : `the program fails: ${problem}`;
      resolve({ ...last, how: isStopped ? "does not end" : failure });
    });
  });
}

async function main(): Promise<void> {
  const areas = process.env["AREA"]?.split(",");
  const part = process.env["FAULT"];
  mkdirSync(FOLDER, { recursive: true });
  await build();
  const chosen = [...PLANTED_FAULTS.entries()]
    .filter(([, { area, fault }]) => (areas?.includes(area) ?? true) && fault.includes(part ?? ""))
    .map(([number]) => number);
  const player = new Player();
  await player.playAll(chosen);
  console.log(player.table().summary);
}

const words = process.argv.slice(2);
(words.length > 0 ? runRandom(words) : main()).catch((problem: unknown) => {
  console.error((problem as Error).message);
  process.exitCode = 1;
});
