import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { APPROVAL_FAULTS } from "../../../scripts/mutants/approvals";
import { plantAll } from "../../../scripts/mutants/plant";
import { TERRAFORM_FAULTS } from "../../../scripts/mutants/terraform";
import { SHORT_PROGRAM } from "../short-programs";

const ROOT = path.join(__dirname, "..", "..", "..");
const { bundle } = require("../bundle.js") as {
  bundle(
    file: string,
    changes: ReadonlyMap<string, (text: string) => string>,
    entry: string,
  ): Promise<unknown>;
};

/** A seed whose story breaks a law, and the smallest story that breaks the same law. */
export interface Failure {
  readonly seed: number;
  readonly law: string;
  readonly what: string;
  readonly story: string;
}

/**
 * The results of a planted fault's story: the law that the story breaks without the fault, and the law that it breaks
 * with the fault. Undefined if the story breaks no law.
 */
interface FoundFault {
  readonly without?: string;
  readonly fault?: string;
}

/** The output of the program. */
export interface Played {
  readonly stories: number;
  readonly failures: readonly Failure[];
  /** The number of events of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** A result for each planted fault, if the program got their stories with `--bindings`. */
  readonly found?: readonly FoundFault[];
  /** For each planted fault about Terraform's plans: whether Steward refuses the edited plan. */
  readonly refused?: readonly { readonly without: boolean; readonly fault: boolean }[];
}

/**
 * Bundles the program for stories of people, with all planted faults in it.
 * @returns the path of the program
 */
export async function buildPeople(name: string): Promise<string> {
  const file = path.join(ROOT, "dist", "simulator", `${name}.js`);
  const numbered = [...[...APPROVAL_FAULTS, ...TERRAFORM_FAULTS].entries()];
  const files = new Set(numbered.map(([, fault]) => fault.file));
  const changes = [...files].map((one) => {
    const faults = numbered.filter(([, fault]) => fault.file === one);
    return [path.join("src", one), (text: string) => plantAll(text, faults)] as const;
  });
  await bundle(file, new Map(changes), "people/main.ts");
  return file;
}

const execute = promisify(execFile);

const FLAGS = [...SHORT_PROGRAM, "--enable-source-maps"];

/** Runs the program and returns its output. */
export async function playPeople(program: string, words: readonly string[]): Promise<Played> {
  const { stdout } = await execute(process.execPath, [...FLAGS, program, ...words], {
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout) as Played;
}
