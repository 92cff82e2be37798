import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";

/** A requirement of a test that npm does not install. */
export type Capability =
  | "engine"
  | "terraform"
  | "tofu"
  | "python"
  | "browser"
  | "go"
  | "gpg"
  /** It makes a pipe with a name (a FIFO), for which Node has no function. */
  | "mkfifo"
  | "bash"
  | "zsh"
  | "fish";

const PROGRAMS: Record<Capability, readonly string[]> = {
  engine: ["terraform", "tofu"],
  /** Marks a comparison with the texts and rules of Terraform 1.11. */
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

/** The files of these programs on the PATH, in its order. */
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

/** The program that gives a capability on this machine, if any. */
export const programFor = (capability: Capability): string | undefined =>
  capability === "terraform" ? programOf("terraform", "1.11") : findPrograms(...PROGRAMS[capability])[0];

/**
 * A program of this release, such as `1.16`, anywhere on the PATH: several releases may be installed, each in a
 * separate folder.
 */
export const programOf = (name: "terraform" | "tofu", release: string): string | undefined =>
  findPrograms(name).find((file) => versionOf(file).startsWith(`${release}.`));

const versions = new Map<string, string>();

/** The version of Terraform or OpenTofu, such as `1.16.0-dev`. */
function versionOf(file: string): string {
  const known = versions.get(file);
  if (known !== undefined) return known;
  // Without the CLI configuration of the environment, whose warnings would precede the JSON.
  const env = { PATH: process.env["PATH"], CHECKPOINT_DISABLE: "1" };
  const printed = execFileSync(file, ["version", "-json"], { encoding: "utf8", env, stdio: "pipe" });
  const version = (JSON.parse(printed) as { terraform_version: string }).terraform_version;
  versions.set(file, version);
  return version;
}

/** A `describe` whose tests need something that npm does not bring; `.ci/run` refuses to start without an engine. */
export const describeWith = (capability: Capability, name: string, body: (program: string) => void): void =>
  describeWhere(programFor(capability), PROGRAMS[capability].join(" or "), name, body);

/**
 * A `describe` whose tests run with a program that this machine may not have. This is the only reason for skipping.
 * The last lines of the run name the skipped tests and their requirements (see `left-out-reporter.js`).
 */
export function describeWhere(
  program: string | undefined,
  need: string,
  name: string,
  body: (program: string) => void,
): void {
  // Only this place skips tests: npm does not install the program, and the reporter names the skipped tests.
  const suite = program === undefined ? describe.skip : describe;
  suite(`${name} [needs ${need}]`, () => body(program ?? need));
}

/** How many runs a long suite makes: a seeded sample in `npm test`, the whole in `npm run soak`. */
export const runs = <Count = number>(sample: Count, whole: Count): Count =>
  process.env["SOAK"] ? whole : sample;

/** The seed of every random suite: given by STEWARD_SEED, else one fixed number, so that `npm test` repeats. */
export const seed = Number(process.env["STEWARD_SEED"] ?? 20_261_121);
