import { FileProblem } from "./file-problem";

/**
 * How new content is checked before it replaces a file. A function reads the content in the file's format, and throws if it
 * can't use the content. `text` is for formats that Steward does not read, such as code and pages. For these formats, Steward
 * only compares the bytes.
 */
export type Reader = "text" | ((content: Buffer) => unknown);

/** Throws if the reader refuses the content. @throws FileProblem `unreadable` */
export async function requireReadable(content: Buffer, reader: Reader): Promise<void> {
  if (reader === "text") return;
  try {
    await reader(content);
  } catch (problem) {
    throw unreadable(problem);
  }
}

/** Returns the error for new content that the reader of its format refuses. */
export const unreadable = (problem: unknown): FileProblem =>
  new FileProblem(
    "unreadable",
    `its new content could not be read again: ${problem instanceof Error ? problem.message : String(problem)}`,
  );
