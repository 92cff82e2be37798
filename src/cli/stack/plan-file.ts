import { open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fail } from "../../diagnostics";
import { formatPlanFile, isPlanFile, type PlanFile, parsePlanFile } from "../../engine";
import { temporaryName, withoutLinks } from "../../files/pending-file";
import type { Terminal } from "../terminal";
import { packageVersion } from "../version";

/** A saved plan is for who made it alone: it tells much of a project. */
const MODE = 0o600;

/** Writes plans to a file in one step. */
export async function writePlanFile(
  name: string,
  plans: PlanFile,
  { folder }: Pick<Terminal, "folder">,
): Promise<void> {
  try {
    const target = await withoutLinks(path.resolve(folder, name));
    const temporary = temporaryName(target);
    try {
      const handle = await open(temporary, "wx", MODE);
      await handle.writeFile(formatPlanFile(plans, packageVersion())).finally(() => handle.close());
      await rename(temporary, target);
    } catch (problem) {
      await rm(temporary, { force: true });
      throw problem;
    }
  } catch (problem) {
    fail({
      code: "saved_plan_not_written",
      summary: "Plan can't be saved",
      detail: `The plan can't be written to ${name} (${codeOf(problem)}). Nothing was changed. Give a path in a folder that exists and may be written.`,
    });
  }
}

/** Reads plans from a file that `writePlanFile` wrote. */
export async function readPlanFile(name: string, terminal: Pick<Terminal, "folder">): Promise<PlanFile> {
  return parsePlanFile(await bytesOf(name, terminal), name, packageVersion());
}

/** Whether a file is a saved plan, as far as its first words tell. */
export async function holdsPlan(name: string, { folder }: Pick<Terminal, "folder">): Promise<boolean> {
  // What can't be read is told by who reads the state from there.
  const bytes = await readFile(path.resolve(folder, name)).catch(() => undefined);
  return bytes !== undefined && isPlanFile(bytes);
}

async function bytesOf(name: string, { folder }: Pick<Terminal, "folder">): Promise<Buffer> {
  try {
    return await readFile(path.resolve(folder, name));
  } catch (problem) {
    return fail({
      code: "saved_plan_not_found",
      summary: "No saved plan",
      detail: `The saved plan ${name} can't be read (${codeOf(problem)}). Nothing was sent. Check the path; \`steward plan --out FILE\` writes one.`,
    });
  }
}

const codeOf = (problem: unknown): string => (problem as NodeJS.ErrnoException).code ?? String(problem);
