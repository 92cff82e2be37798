// `npm run mutants`: plants faults one by one into the sources that the simulator is made of, and reports which ones it finds.
// AREA=lock,cache plants those of some areas; RUNS=2000 plays more stories for each. The result of all goes to `docs/mutants.md`.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PlantedFault } from "./mutants/planted-fault";
import { PLANTED_FAULTS } from "./mutants/planted-faults";
import { hintsOf, tableOf, type Verdict } from "./mutants/table";

const ROOT = path.join(__dirname, "..");
const PAGE = path.join(ROOT, "docs", "mutants.md");
const FOLDER = path.join(ROOT, "dist", "simulator", `mutants-${process.pid}`);
const RUNS = Number(process.env["RUNS"] ?? 500);
const AT_ONCE = Number(process.env["WORKERS"] ?? 2);
/** As the simulator's own tests run it. */
const SHORT = ["--interrupt-budget=1000000", "--max-semi-space-size=32"];
/** Seconds of the processor for the stories of one fault: whoever needs more does not end. */
const LIMIT = 150;

/** What found a fault when the page was written: it is played first. */
const hints = hintsOf(readFileSync(PAGE, "utf8"));

const { bundle } = require("../test/simulator/bundle.js") as {
  bundle(file: string, changes: ReadonlyMap<string, (text: string) => string>): Promise<unknown>;
};

/** @throws Error if the sources have changed so that the fault can't be planted */
function plant({ fault, from, to }: PlantedFault, text: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${fault}: its place is there ${parts.length - 1} times`);
  return parts.join(to);
}

const requirePlace = (fault: PlantedFault): unknown =>
  plant(fault, readFileSync(path.join(ROOT, "src", fault.file), "utf8"));

async function judge(fault: PlantedFault, number: number): Promise<Verdict> {
  const program = path.join(FOLDER, `${number}.js`);
  const file = path.join("src", fault.file);
  await bundle(program, new Map([[file, (text) => plant(fault, text)]]));
  const hint = hints.get(fault.fault);
  return { fault, by: await new Promise<string | undefined>((resolve) => run(program, hint, resolve)) };
}

function run(program: string, hint: string | undefined, resolve: (by: string | undefined) => void): void {
  const words = [...SHORT, program, "--first", "--known", "--holding", "--seeds", `1+${RUNS}`];
  if (hint !== undefined) words.push("--hint", hint);
  const limited = ["-c", `ulimit -t ${LIMIT}; exec "$0" "$@"`, process.execPath, ...words];
  execFile("sh", limited, { maxBuffer: 1 << 28 }, (problem, out) => {
    if (problem === null) resolve(foundBy(JSON.parse(out)));
    else if (problem.signal === "SIGXCPU" || problem.signal === "SIGKILL") resolve("does not end");
    else resolve(`the program fails: ${problem.message.split("\n")[1] ?? ""}`);
  });
}

interface Report {
  readonly failures: readonly { readonly seed: number; readonly invariant: string }[];
  readonly broken: readonly { readonly rule: string; readonly violation: { readonly invariant: string } }[];
  readonly knownFaults: readonly { readonly name: string; readonly found?: { readonly known?: string } }[];
}

function foundBy({ broken, failures, knownFaults }: Report): string | undefined {
  const [story] = broken;
  if (story !== undefined) return `${story.violation.invariant} ("${story.rule}")`;
  const [first] = failures;
  if (first !== undefined) return `${first.invariant} (seed ${first.seed})`;
  const other = knownFaults.find(({ name, found }) => found?.known !== name);
  return other && `another end of the story: ${other.name}`;
}

async function main(): Promise<void> {
  const areas = process.env["AREA"]?.split(",");
  const planted = PLANTED_FAULTS.filter(({ area }) => areas?.includes(area) ?? true);
  for (const fault of planted) requirePlace(fault);
  mkdirSync(FOLDER, { recursive: true });
  const verdicts: Verdict[] = [];
  const waiting = [...planted.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const verdict = await judge(next[1], next[0]);
      verdicts.push(verdict);
      console.log(
        `${verdict.by === undefined ? "MISSED" : "found "} ${next[1].area}: ${next[1].fault}${verdict.by === undefined ? "" : `: ${verdict.by}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  rmSync(FOLDER, { recursive: true });
  const { summary, page } = tableOf(verdicts, RUNS);
  console.log(summary);
  if (areas === undefined) writeFileSync(PAGE, page);
}

main();
