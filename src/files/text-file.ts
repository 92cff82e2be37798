import { FileProblem } from "./file-problem";

/**
 * Decodes a text file that people write. A byte order mark at its beginning is left out.
 *
 * @throws FileProblem `not_text` if it is not UTF-8
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FileProblem("not_text", "it is not UTF-8: save it in that encoding");
  }
}
