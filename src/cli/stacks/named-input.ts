import path from "node:path";
import { type ErrorCode, fail } from "../../diagnostics";
import { describeFileProblem, LARGE_FILE, readUserFile } from "../../files";
import type { Terminal } from "../terminal/terminal";

/** A file that the command line names, or the standard input for `-`, and what messages call it. */
export async function readNamed(
  file: string,
  code: ErrorCode,
  terminal: Pick<Terminal, "folder" | "readInput">,
): Promise<{ readonly bytes: Buffer; readonly name: string }> {
  const name = file === "-" ? "The standard input" : file;
  try {
    const bytes =
      file === "-" ? await terminal.readInput(LARGE_FILE) : readUserFile(path.resolve(terminal.folder, file));
    return { bytes, name };
  } catch (problem) {
    return fail({
      code,
      summary: "File can't be read",
      detail: `${name} can't be read: ${describeFileProblem(problem)}. Correct the path, or pipe the file in and give -.`,
    });
  }
}
