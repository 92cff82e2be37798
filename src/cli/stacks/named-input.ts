import path from "node:path";
import { type ErrorCode, fail } from "../../diagnostics";
import { describeFileProblem, LARGE_FILE, readUserFile } from "../../files";
import type { Terminal } from "../terminal/terminal";

/**
 * Reads a file of the command line, or standard input for `-`. Returns its bytes and its name for messages.
 */
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
