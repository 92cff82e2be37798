import { packageVersion } from "../../src/cli/version";
import { programFor } from "../../test/support/capabilities";
import { measure } from "../support/command";
import type { Tell } from "./cycle";
import { runEmbedded } from "./embedded";
import { findGitlabform, runGitlabform } from "./gitlabform";
import type { Case, EngineName } from "./model";
import { runTerraform } from "./terraform";

/** A program that can run cases. */
export interface Runner {
  /** The program with its version. */
  readonly program: string;
  readonly run: (one: Case, tell: Tell) => Promise<void>;
}

/** Finds the programs that are installed on this machine. */
export async function findRunners(): Promise<ReadonlyMap<EngineName, Runner>> {
  const all: readonly (readonly [EngineName, Runner | undefined])[] = [
    ["embedded", { program: `Steward ${packageVersion()}`, run: runEmbedded }],
    ["terraform", await findTerraform()],
    ["gitlabform", await gitlabformRunner()],
  ];
  return new Map(all.flatMap(([name, runner]) => (runner === undefined ? [] : [[name, runner] as const])));
}

async function findTerraform(): Promise<Runner | undefined> {
  const program = programFor("terraform");
  if (program === undefined) return undefined;
  const { output } = await measure(program, ["version"]);
  return {
    program: /Terraform v\S+/.exec(output)?.[0] ?? "Terraform",
    run: (...given) => runTerraform(program, ...given),
  };
}

async function gitlabformRunner(): Promise<Runner | undefined> {
  const found = await findGitlabform();
  return found && { program: found.title, run: (...given) => runGitlabform(found.program, ...given) };
}
