import path from "node:path";
import { fail } from "../../diagnostics";
import { formatPlanFile, isPlanFile, type PlanFile, parsePlanFile } from "../../engine";
import {
  describeFileProblem,
  readFile,
  removeTemporaryFiles,
  replaceFile,
  requireRegularFile,
  resolveLinks,
} from "../../files";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";

/**
 * Writes plans to a file atomically, readable for its owner only, since plans reveal much about a project.
 */
export async function writePlanFile(
  name: string,
  plans: PlanFile,
  { folder }: Pick<Terminal, "folder">,
): Promise<void> {
  const text = formatPlanFile(plans, name, packageVersion());
  try {
    const target = await resolveLinks(path.resolve(folder, name));
    requireRegularFile(target);
    await replaceFile(target, [text]);
    await removeTemporaryFiles([target], "gone");
  } catch (problem) {
    fail({
      code: "saved_plan_not_written",
      summary: "Plan can't be saved",
      detail: `The plan can't be written to ${name} (${describeFileProblem(problem)}). Nothing was changed. Give a path in an existing, writable folder.`,
    });
  }
}

/** Reads plans from a file that `writePlanFile` wrote. */
export async function readPlanFile(name: string, terminal: Pick<Terminal, "folder">): Promise<PlanFile> {
  return parsePlanFile(await bytesOf(name, terminal), name, packageVersion());
}

/** Whether a file is a saved plan, judged by its first bytes. */
export async function holdsPlan(name: string, { folder }: Pick<Terminal, "folder">): Promise<boolean> {
  // The command reads the file again as a state and reports the error.
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
      detail: `The saved plan ${name} can't be read (${describeFileProblem(problem)}). Nothing was sent. Check the path; \`steward plan --out FILE\` writes one.`,
    });
  }
}
