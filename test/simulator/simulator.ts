import { execFile, execFileSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Walk as WalkOfCalls } from "./actors/trace";
import type { Walk } from "./exhaustive";
import { SHORT_PROGRAM } from "./short-programs";
import type { Violation } from "./world/records";

const ROOT = path.join(__dirname, "..", "..");

/** A seed whose story breaks a rule, and the smallest story that breaks the same rule. */
export interface Failure extends Violation {
  readonly seed: number;
  readonly story: string;
}

type Counts = Readonly<Record<string, number>>;

/** The output of the simulator's program. */
export interface Simulated {
  /** Seconds of the clock; `processor` has the seconds of the processor. */
  readonly seconds: number;
  readonly processor: number;
  readonly stories: number;
  readonly runs: number;
  readonly requests: number;
  readonly operations: Counts;
  readonly faults: Counts;
  readonly failures?: readonly Failure[];
  readonly walk?: Walk;
  /** The model's calls of the provider, for each part of Terraform's scenario and each walk in the part. */
  readonly calls?: Readonly<Record<string, readonly WalkOfCalls[]>>;
  /** The rules whose stories broke an invariant, each with the violation. */
  readonly broken?: readonly { readonly rule: string; readonly violation: Violation }[];
}

/**
 * Bundles the program of the simulator into `dist/simulator`, where Node finds the packages that the program imports.
 * @returns the path of the program
 */
export function buildSimulator(name: string): string {
  const file = path.join(ROOT, "dist", "simulator", `${name}.js`);
  execFileSync(process.execPath, [path.join(__dirname, "bundle.js"), file], { stdio: "inherit" });
  return file;
}

const execute = promisify(execFile);

const FLAGS = [...SHORT_PROGRAM, "--enable-source-maps"];

/** Runs the program and returns its output. */
export async function simulate(program: string, words: readonly string[]): Promise<Simulated> {
  const { stdout } = await execute(process.execPath, [...FLAGS, program, ...words], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout) as Simulated;
}

/** A range of seeds: the first seed, and the number of seeds. */
export type Seeds = readonly [from: number, count: number];

/**
 * Plays the stories of ranges of seeds in two processes, each with half of each range. `others` has additional
 * arguments for each of the two processes.
 */
export async function simulateSeeds(
  program: string,
  ranges: readonly Seeds[],
  others: readonly [string[], string[]] = [[], []],
): Promise<Simulated & { readonly failures: readonly Failure[] }> {
  const halves = ranges.map(([from, count]) => {
    const half = Math.ceil(count / 2);
    return [`${from}+${half}`, `${from + half}+${count - half}`] as const;
  });
  const [one, other] = await Promise.all(
    others.map((words, part) =>
      simulate(program, ["--seeds", halves.map((half) => half[part]!).join(), ...words]),
    ),
  );
  const [first, second] = [one!, other!];
  return {
    ...first,
    ...second,
    stories: first.stories + second.stories,
    runs: first.runs + second.runs,
    requests: first.requests + second.requests,
    seconds: Math.max(first.seconds, second.seconds),
    processor: first.processor + second.processor,
    operations: added(first.operations, second.operations),
    faults: added(first.faults, second.faults),
    broken: [first, second].flatMap(({ broken = [] }) => broken),
    failures: [first, second].flatMap(({ failures = [] }) => failures),
  };
}

/** Adds the numbers of two counts that have the same name. */
export const added = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  );

/** Describes failures for people: the seed, the rule that broke, and the story. */
export const describeFailures = (failures: readonly Failure[]): string[] =>
  failures.map(({ seed, invariant, what, story }) => `seed ${seed}: ${invariant}: ${what}\n${story}`);
