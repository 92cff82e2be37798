import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { addTimes, copyCoverage, suitesIn, suitesToRun } from "./earlier-coverage";

const JEST = path.join("node_modules", "jest", "bin", "jest.js");
const TSC = path.join("node_modules", "typescript", "bin", "tsc");
/**
 * The minimum of the limit on processor seconds. The limit grows with the time of the suites without a mutant, and ends
 * mutants that never end.
 */
const LEAST_SECONDS = 30;
const TIMES_OF_NORMAL = 3;
/**
 * A run makes progress if it uses at least this many processor seconds between two looks. After six looks without
 * progress, a run counts as waiting forever. Even a busy machine gives a run more processor time than this.
 */
const LEAST_PROGRESS = 0.05;
const MOST_IDLE = 6;
const LOOK_EVERY = 10_000;

const isQuickSuite = (file: string): boolean => file.endsWith(".test.ts") && !file.endsWith(".long.test.ts");

/** The result of running suites: the first test that failed, or `passed`. */
export type Outcome = { readonly killedBy: string } | "passed";

/** A clone of a commit in which mutants are compiled and tested. */
export class Workspace {
  readonly folder: string;
  readonly coverage: string;
  readonly times: string;
  readonly #failure: string;
  readonly #order: string;

  constructor(folder: string, part: number) {
    this.folder = path.join(folder, `checkout-${part}`);
    this.coverage = path.join(folder, "coverage");
    this.times = path.join(folder, "times.json");
    this.#failure = path.join(folder, `first-failure-${part}.json`);
    this.#order = path.join(folder, `order-${part}.json`);
  }

  /**
   * Clones a commit, builds it, and records which bodies each quick suite runs. An existing clone is used again, with
   * its records.
   * @param earlier the folder of a run on an earlier commit; its records are valid for suites that have not changed
   */
  async prepare(root: string, commit: string, earlier?: string): Promise<void> {
    if (!existsSync(this.folder)) this.#clone(root, commit);
    if (existsSync(this.times)) return;
    rmSync(this.coverage, { recursive: true, force: true });
    if (earlier === undefined) {
      console.log("Running all quick suites once, to know which places each runs.");
      return this.#cover(this.times, []);
    }
    const git = (folder: string, ...words: readonly string[]): string =>
      execFileSync("git", words, { cwd: folder, encoding: "utf8" }).trim();
    const before = git(path.join(earlier, "checkout-0"), "rev-parse", "HEAD");
    const changed = git(this.folder, "diff", "--name-only", "--no-renames", before, commit).split("\n");
    const suites = git(this.folder, "ls-files", "test").split("\n").filter(isQuickSuite);
    const known = suitesIn(path.join(earlier, "coverage"));
    const again = suitesToRun(suites, changed, known);
    copyCoverage(path.join(earlier, "coverage"), this.coverage, new Set(suites), changed);
    console.log(`Running ${again.length} of ${suites.length} quick suites, to know which places each runs.`);
    const times = again.length === 0 ? undefined : `${this.times}.again`;
    if (times !== undefined) await this.#cover(times, again);
    addTimes(path.join(earlier, "times.json"), times, this.times);
  }

  #clone(root: string, commit: string): void {
    mkdirSync(path.dirname(this.folder), { recursive: true });
    execFileSync("git", ["clone", "--quiet", "--no-checkout", root, this.folder]);
    execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: this.folder });
    symlinkSync(path.join(root, "node_modules"), path.join(this.folder, "node_modules"));
    execFileSync(process.execPath, [path.join("scripts", "build.js")], {
      cwd: this.folder,
      stdio: "inherit",
    });
  }

  /** Runs suites, or all suites if the list is empty. Writes the coverage and the times of the suites. */
  async #cover(times: string, suites: readonly string[]): Promise<void> {
    const words = ["--silent", "--reporters", "./test/runner/times-reporter.js"];
    const named = suites.length === 0 ? [] : ["--runTestsByPath", ...suites];
    const env = { STEWARD_COVERAGE: this.coverage, STEWARD_TEST_TIMES: times };
    const code = await this.#run([JEST, ...words, ...named], env, Number.POSITIVE_INFINITY);
    if (code === 0) return;
    rmSync(times, { force: true });
    throw new Error("A suite fails without a mutant.");
  }

  read = (file: string): string => readFileSync(path.join(this.folder, file), "utf8");

  write = (file: string, text: string): void => writeFileSync(path.join(this.folder, file), text);

  /** Compiles the changed files. Returns true if the compiler accepts these files. */
  async compile(): Promise<boolean> {
    return (await this.#run([TSC, "-b", "src", path.join("src", "constructs")], {}, 600)) === 0;
  }

  /** Runs suites in the given order until a test fails. */
  async test(suites: readonly string[], seconds: number): Promise<Outcome> {
    rmSync(this.#failure, { force: true });
    writeFileSync(this.#order, JSON.stringify(suites));
    const env = { STEWARD_FIRST_FAILURE: this.#failure, STEWARD_SUITE_ORDER: this.#order, CI: "true" };
    const words = [JEST, "--runInBand", "--bail", "--silent", "--runTestsByPath", ...suites];
    const code = await this.#run(words, env, LEAST_SECONDS + TIMES_OF_NORMAL * seconds);
    if (existsSync(this.#failure)) {
      const { suite, test }: { suite: string; test: string } = JSON.parse(
        readFileSync(this.#failure, "utf8"),
      );
      return { killedBy: `${path.relative(this.folder, suite)}: ${test}` };
    }
    if (code === 0) return "passed";
    return { killedBy: code === undefined ? "does not end" : `the run ends with ${code}` };
  }

  /** Runs a program. Returns the exit code of the program; undefined if the program did not end and was stopped. */
  #run(
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    seconds: number,
  ): Promise<number | undefined> {
    const isLimited = Number.isFinite(seconds);
    const limit = isLimited ? `ulimit -t ${Math.ceil(seconds)}; ` : "";
    const child = spawn("/bin/sh", ["-c", `${limit}exec "$@"`, "sh", process.execPath, ...words], {
      cwd: this.folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", isLimited ? "ignore" : "inherit"],
      // Gives the program a separate process group, so that it can be ended together with the programs that it starts.
      detached: true,
    });
    const watch = isLimited ? watchProgress(child.pid!) : undefined;
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        endGroup(child.pid!);
        resolve(watch?.stop() === true ? undefined : (code ?? undefined));
      });
    });
  }
}

/**
 * Watches a group of processes, and ends the group if the processes stop working. `stop` returns true if the watch
 * ended the group.
 */
function watchProgress(group: number): { stop(): boolean } {
  let last = 0;
  let idle = 0;
  let isStuck = false;
  const timer = setInterval(() => {
    const seconds = processorSeconds(group);
    idle = seconds - last < LEAST_PROGRESS ? idle + 1 : 0;
    last = seconds;
    if (idle < MOST_IDLE) return;
    isStuck = true;
    endGroup(group);
  }, LOOK_EVERY);
  return {
    stop() {
      clearInterval(timer);
      return isStuck;
    },
  };
}

function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}

/** Returns the processor seconds of the living processes in a group, as Linux counts them. */
function processorSeconds(group: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      if (fields[2] === group) ticks += fields[11]! + fields[12]! + fields[13]! + fields[14]!;
    } catch {
      // The process has already ended.
    }
  }
  return ticks / 100;
}
