import { accessSync, constants } from "node:fs";
import path from "node:path";

/** What a test may need that npm does not bring. */
export type Capability = "engine" | "terraform" | "tofu" | "python" | "browser" | "go";

const PROGRAMS: Record<Capability, readonly string[]> = {
  engine: ["terraform", "tofu"],
  /** Where the very texts and rules of Terraform 1.11 are compared. */
  terraform: ["terraform"],
  tofu: ["tofu"],
  python: ["python3"],
  go: ["go"],
  browser: ["chromium", "chromium-browser", "google-chrome"],
};

/** The file of the first of these programs that stands on the PATH. */
function findProgram(...names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => {
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
  findProgram(...PROGRAMS[capability]);

/** A `describe` whose tests need something that npm does not bring; `.ci/run` refuses to start without an engine. */
export const describeWith = (capability: Capability, name: string, body: (program: string) => void): void =>
  describeWhere(programFor(capability), PROGRAMS[capability].join(" or "), name, body);

/**
 * A `describe` whose tests run with a program that this machine may not have. Skipping is for that reason alone, and
 * never quiet: the run's last lines name what was left out and what it needs (see `left-out-reporter.js`).
 */
export function describeWhere(
  program: string | undefined,
  need: string,
  name: string,
  body: (program: string) => void,
): void {
  const suite = program === undefined ? describe.skip : describe;
  suite(`${name} [needs ${need}]`, () => body(program ?? need));
}

/** How many runs a long suite makes: a seeded sample in `npm test`, the whole in `npm run soak`. */
export const runs = (sample: number, whole: number): number => (process.env["SOAK"] ? whole : sample);

/** The seed of every random suite: given by STEWARD_SEED, else one fixed number, so that `npm test` repeats. */
export const seed = Number(process.env["STEWARD_SEED"] ?? 20_261_121);
