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

/** A law that the story of a seed breaks, with the smallest story that breaks it. */
export interface Failure {
  readonly seed: number;
  readonly law: string;
  readonly what: string;
  readonly story: string;
}

/** The law that the story of a planted fault breaks, without the fault and with it. */
interface FoundFault {
  readonly without?: string;
  readonly fault?: string;
}

/** The output of the program. */
export interface Played {
  readonly stories: number;
  readonly failures: readonly Failure[];
  /** The number of occurrences of each event. */
  readonly counts: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** For each planted fault, if the program was called with their stories. */
  readonly found?: readonly FoundFault[];
  /** For each planted fault in the bindings of Terraform's plans, whether its edited plan is refused. */
  readonly refused?: readonly { readonly without: boolean; readonly fault: boolean }[];
}

/** Makes the program of the stories of people, with all planted faults in it. @returns its path */
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

/** Runs the program. */
export async function playPeople(program: string, words: readonly string[]): Promise<Played> {
  const { stdout } = await execute(process.execPath, [...FLAGS, program, ...words], {
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout) as Played;
}
