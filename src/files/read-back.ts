import { FileProblem } from "./file-problem";

/**
 * Reads new content before it replaces a file. It is the reader of the format, which throws if the content is
 * unusable. `text` is for formats that Steward does not read, such as code and pages; then only the bytes are
 * compared.
 */
export type Reader = "text" | ((content: Buffer) => unknown);

/** @throws FileProblem `unreadable` */
export async function requireReadable(content: Buffer, reader: Reader): Promise<void> {
  if (reader === "text") return;
  try {
    await reader(content);
  } catch (problem) {
    throw unreadable(problem);
  }
}

/** Returns the problem of new content that its own reader refuses. */
export const unreadable = (problem: unknown): FileProblem =>
  new FileProblem(
    "unreadable",
    `its new content could not be read again: ${problem instanceof Error ? problem.message : String(problem)}`,
  );
