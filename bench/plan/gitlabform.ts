import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Measured, measure } from "../support/command";
import type { ServiceProcess } from "../support/service-process";
import type { Tell } from "./cycle";
import type { Case } from "./model";
import { STEPS } from "./steps";
import { withService } from "./with-service";

/** Runs the steps of a case with gitlabform. */
export const runGitlabform = (program: string, one: Case, tell: Tell): Promise<void> =>
  withService(one, async (service) => {
    const declared = one.collection.gitlabform!(one.count);
    for (const step of STEPS) {
      await service.counters();
      const { output: _, ...measured } = await runOnce(program, service, declared[step]);
      const { requests } = await service.counters();
      if (one.steps.includes(step)) tell(step, { figures: { ...measured, requests } });
    }
  });

/** An installed gitlabform, with its name and version. */
export interface Gitlabform {
  readonly program: string;
  readonly title: string;
}

/**
 * Finds the program in the variable GITLABFORM, or gitlabform on the PATH. Returns undefined if it finds no program.
 */
export async function findGitlabform(): Promise<Gitlabform | undefined> {
  const program = process.env["GITLABFORM"] ?? "gitlabform";
  try {
    const { output } = await measure(program, ["--version"]);
    const version = /GitLabForm version: (\S+)/.exec(output)?.[1];
    return { program, title: `gitlabform ${version ?? "of an unknown version"}` };
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw problem;
  }
}

/** Runs gitlabform once for all configured projects. */
export async function runOnce(
  program: string,
  { url, token }: ServiceProcess,
  projects: object,
  words: readonly string[] = [],
): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const file = path.join(folder, "config.yml");
  // gitlabform reads YAML, and every JSON text is valid YAML.
  writeFileSync(
    file,
    JSON.stringify({ config_version: 4, gitlab: { url, token }, projects_and_groups: projects }),
    { mode: 0o600 },
  );
  try {
    return await measure(program, [...words, "--skip-version-check", "--config", file, "ALL_DEFINED"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
