import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Measured, measure } from "./command";
import type { ServiceProcess } from "./service-process";

/** The program that GITLABFORM names, or the one on the PATH; nothing where there is none. */
export async function findGitlabform(): Promise<{ program: string; version: string } | undefined> {
  const program = process.env["GITLABFORM"] ?? "gitlabform";
  try {
    const { output } = await measure(program, ["--version"]);
    return { program, version: /GitLabForm version: \S+/.exec(output)?.[0] ?? "GitLabForm" };
  } catch {
    return undefined;
  }
}

/** Brings the projects of the service to what is declared of them; it has no plan that asks for less. */
export async function runGitlabform(
  program: string,
  { url, token }: ServiceProcess,
  projects: object,
): Promise<Measured> {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bench-"));
  const file = path.join(folder, "config.yml");
  // JSON is YAML as well.
  writeFileSync(
    file,
    JSON.stringify({ config_version: 3, gitlab: { url, token }, projects_and_groups: projects }),
    { mode: 0o600 },
  );
  try {
    return await measure(program, ["--skip-version-check", "--config", file, "ALL_DEFINED"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
