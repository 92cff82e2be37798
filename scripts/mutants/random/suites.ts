import { readdirSync, readFileSync } from "node:fs";
import type { Candidate } from "./candidates";
import { changedBody, readCoverage } from "./earlier-coverage";

const { bodiesOf } = require("../../../test/runner/bodies.js") as {
  bodiesOf(text: string): readonly { readonly start: number; readonly end: number }[];
};

/** Suites that read the texts of all sources, such as messages, and run none of them. */
const READ_SOURCES = ["test/diagnostics/codes.test.ts"];

/** The bodies that one suite runs, each as `file:start`. */
interface Ran {
  readonly suite: string;
  readonly ran: ReadonlySet<string>;
  /** The number of bodies that it runs of each file. */
  readonly files: ReadonlyMap<string, number>;
}

/** The bodies of the sources that each suite runs, and its processor time. */
export class Suites {
  readonly #suites: readonly Ran[];
  readonly #seconds: ReadonlyMap<string, number>;

  /** Reads the files that a run of the tests wrote with STEWARD_COVERAGE and STEWARD_TEST_TIMES. */
  constructor(coverage: string, times: string) {
    this.#suites = readdirSync(coverage).map((name) => readRan(coverage, name));
    const measured: readonly { file: string; seconds: number }[] = JSON.parse(readFileSync(times, "utf8"));
    this.#seconds = new Map(measured.map(({ file, seconds }) => [file, seconds]));
  }

  /** The processor time of a suite, in calibrated seconds. */
  secondsOf = (suite: string): number => this.#seconds.get(suite) ?? 1;

  /**
   * The suites that run the place of a candidate, the nearest first: same name, same folders, most focused on the file.
   * A place outside of all functions gets the suites that run anything of its file.
   */
  of(file: string, text: string, candidate: Candidate): readonly string[] {
    const body = innermost(text, candidate);
    const running = this.#suites.filter(
      ({ ran }) => ran.has(changedBody(file)) || (body !== undefined && ran.has(`${file}:${body}`)),
    );
    // A body that no suite runs may still run when its module is loaded.
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

/** The start of the smallest body around a candidate. */
function innermost(text: string, { start, end }: Candidate): number | undefined {
  const around = bodiesOf(text).filter((body) => body.start <= start && end <= body.end);
  return around.sort((one, other) => one.end - one.start - (other.end - other.start))[0]?.start;
}

/** The nearness of a suite to a file: shared folders, the same name, and the file's share in the bodies that it runs. */
function rankOf({ suite, ran, files }: Ran, file: string): number {
  const [ours, theirs] = [partsOf(suite), partsOf(file)];
  const different = ours.findIndex((part, index) => part !== theirs[index]);
  const shared = different < 0 ? ours.length : different;
  const hasSameName = ours.at(-1) === theirs.at(-1);
  return shared + (hasSameName ? 10 : 0) + (files.get(file) ?? 0) / ran.size;
}

/** The folders below `src` or `test`, and the name without its endings. */
const partsOf = (file: string): readonly string[] =>
  file
    .replace(/(\.test)?\.ts$/, "")
    .split("/")
    .slice(1);
