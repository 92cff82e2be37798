import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";

/** A program that a test needs and that npm does not install. */
export type Capability =
  | "engine"
  | "terraform"
  | "tofu"
  | "python"
  | "browser"
  | "go"
  | "gpg"
  /** Creates a named pipe (a FIFO), because Node has no function for this. */
  | "mkfifo"
  | "bash"
  | "zsh"
  | "fish";

const PROGRAMS: Record<Capability, readonly string[]> = {
  engine: ["terraform", "tofu"],
  /** For tests that compare Steward with the texts and rules of Terraform 1.11. */
  terraform: ["terraform"],
  tofu: ["tofu"],
  python: ["python3"],
  go: ["go"],
  gpg: ["gpg"],
  mkfifo: ["mkfifo"],
  bash: ["bash"],
  zsh: ["zsh"],
  fish: ["fish"],
  browser: ["chromium", "chromium-browser", "google-chrome"],
};

/** Returns the files of these programs, in the order of the folders on the PATH. */
function findPrograms(...names: readonly string[]): string[] {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .filter((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Returns the program for a capability; undefined if this machine does not have it. */
export const programFor = (capability: Capability): string | undefined =>
  capability === "terraform" ? programOf("terraform", "1.11") : findPrograms(...PROGRAMS[capability])[0];

/**
 * Returns the program of this release, such as `1.16`. Searches the whole PATH, because several releases may be installed,
 * each in a separate folder.
 */
export const programOf = (name: "terraform" | "tofu", release: string): string | undefined =>
  findPrograms(name).find((file) => versionOf(file).startsWith(`${release}.`));

const versions = new Map<string, string>();

/** Returns the version of Terraform or OpenTofu, such as `1.16.0-dev`. */
function versionOf(file: string): string {
  const known = versions.get(file);
  if (known !== undefined) return known;
  // The environment leaves out the developer's CLI configuration, because its warnings would be printed before the JSON.
  const env = { PATH: process.env["PATH"], CHECKPOINT_DISABLE: "1" };
  const printed = execFileSync(file, ["version", "-json"], { encoding: "utf8", env, stdio: "pipe" });
  const version = (JSON.parse(printed) as { terraform_version: string }).terraform_version;
  versions.set(file, version);
  return version;
}

/**
 * Declares a `describe` whose tests need a program that npm does not install. `.ci/run` refuses to start without an
 * engine, so that CI never skips the tests that need one.
 */
export const describeWith = (capability: Capability, name: string, body: (program: string) => void): void =>
  describeWhere(programFor(capability), PROGRAMS[capability].join(" or "), name, body);

/**
 * Declares a `describe` whose tests run with a program. If this machine does not have the program, the tests are skipped. No
 * test is skipped for another reason. The last lines of the run name the skipped tests and the missing programs (see
 * `left-out-reporter.js`).
 */
export function describeWhere(
  program: string | undefined,
  need: string,
  name: string,
  body: (program: string) => void,
): void {
  // No other code skips tests. The reporter names the skipped tests.
  const suite = program === undefined ? describe.skip : describe;
  suite(`${name} [needs ${need}]`, () => body(program ?? need));
}

/** Returns the number of runs of a long suite: `sample` in `npm test`, and `whole` in `npm run soak`. */
export const runs = <Count = number>(sample: Count, whole: Count): Count =>
  process.env["SOAK"] ? whole : sample;

/**
 * The seed of every random suite: the value of STEWARD_SEED, or otherwise a fixed number, so that each `npm test` runs the
 * same cases.
 */
export const seed = Number(process.env["STEWARD_SEED"] ?? 20_261_121);
