import { readdirSync, readFileSync } from "node:fs";
import type { Candidate } from "./candidates";
import { changedBody, readCoverage } from "./earlier-coverage";

const { bodiesOf } = require("../../../test/runner/bodies.js") as {
  bodiesOf(text: string): readonly { readonly start: number; readonly end: number }[];
};

/** Suites that read the texts of all sources, such as messages, but run none of this code. */
const READ_SOURCES = ["test/diagnostics/codes.test.ts"];

/** The function bodies that one suite runs, each as `file:start`. */
interface Ran {
  readonly suite: string;
  readonly ran: ReadonlySet<string>;
  /** For each file, the number of its bodies that the suite runs. */
  readonly files: ReadonlyMap<string, number>;
}

/** Knows which function bodies each suite runs, and how long each suite takes. */
export class Suites {
  readonly #suites: readonly Ran[];
  readonly #seconds: ReadonlyMap<string, number>;

  /** Reads the files that a test run wrote with STEWARD_COVERAGE and STEWARD_TEST_TIMES. */
  constructor(coverage: string, times: string) {
    this.#suites = readdirSync(coverage).map((name) => readRan(coverage, name));
    const measured: readonly { file: string; seconds: number }[] = JSON.parse(readFileSync(times, "utf8"));
    this.#seconds = new Map(measured.map(({ file, seconds }) => [file, seconds]));
  }

  /** Returns the processor time of a suite, in calibrated seconds. */
  secondsOf = (suite: string): number => this.#seconds.get(suite) ?? 1;

  /**
   * Returns the suites that run the code which a candidate changes. The suites nearest to the file come first, as
   * `rankOf` says. If the code is outside of all functions, returns the suites that run anything in the file.
   */
  of(file: string, text: string, candidate: Candidate): readonly string[] {
    const body = innermost(text, candidate);
    const running = this.#suites.filter(
      ({ ran }) => ran.has(changedBody(file)) || (body !== undefined && ran.has(`${file}:${body}`)),
    );
    // Code in a body that no suite calls may still run when its module is loaded.
    const chosen = running.length > 0 ? running : this.#suites.filter(({ files }) => files.has(file));
    const nearest = chosen
      .map((one) => ({ suite: one.suite, rank: rankOf(one, file), seconds: this.secondsOf(one.suite) }))
      .sort((one, other) => other.rank - one.rank || one.seconds - other.seconds)
      .map(({ suite }) => suite);
    return candidate.kind === "changed constant" ? [...READ_SOURCES, ...nearest] : nearest;
  }
}

function readRan(folder: string, file: string): Ran {
  const { suite, ran } = readCoverage(folder, file);
  const files = new Map<string, number>();
  for (const body of ran) {
    const name = body.slice(0, body.lastIndexOf(":"));
    files.set(name, (files.get(name) ?? 0) + 1);
  }
  return { suite, ran: new Set(ran), files };
}

/** Returns the start of the smallest function body around a candidate. */
function innermost(text: string, { start, end }: Candidate): number | undefined {
  const around = bodiesOf(text).filter((body) => body.start <= start && end <= body.end);
  return around.sort((one, other) => one.end - one.start - (other.end - other.start))[0]?.start;
}

/**
 * Returns how near a suite is to a file. The rank counts common folders, an equal name, and the file's share of the
 * bodies that the suite runs.
 */
function rankOf({ suite, ran, files }: Ran, file: string): number {
  const [ours, theirs] = [partsOf(suite), partsOf(file)];
  const different = ours.findIndex((part, index) => part !== theirs[index]);
  const shared = different < 0 ? ours.length : different;
  const hasSameName = ours.at(-1) === theirs.at(-1);
  return shared + (hasSameName ? 10 : 0) + (files.get(file) ?? 0) / ran.size;
}

/** Returns the folders below `src` or `test`, and the file name without its extension. */
const partsOf = (file: string): readonly string[] =>
  file
    .replace(/(\.test)?\.ts$/, "")
    .split("/")
    .slice(1);
