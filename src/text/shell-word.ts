import { oneLine } from "./one-line";

/** Words that need no quotes in any shell. */
const PLAIN = /^[\w:./@+-]+$/;

/**
 * Quotes a text as one word of a command to copy into a POSIX shell. Unsafe characters are written by
 * `printf`. A word can't contain U+0000; a lone surrogate becomes U+FFFD.
 */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : quotedShellWord(text));

/** The same, always in quotes, for a placeholder that users replace. */
export function quotedShellWord(text: string): string {
  const quoted = singleQuoted(text);
  return oneLine(quoted) === quoted ? quoted : printed(text);
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Command substitution drops trailing line ends; this expression yields one. */
const LINE_END = '"${IFS#??}"';

function printed(text: string): string {
  const [, body = "", ends = ""] = /^(.*?)(\n*)$/s.exec(text)!;
  const format = [...body].map(inFormat).join("");
  const word = body === "" ? "" : `"$(printf ${singleQuoted(format)})"`;
  return `${word}${LINE_END.repeat(ends.length)}`;
}

/** One character in the format of `printf`. */
function inFormat(character: string, at: number): string {
  if (character === "%") return "%%";
  if (character === "\\") return "\\\\";
  // A leading hyphen would be an option of printf. `##[` and `section_start:` are CI commands.
  const isWritten = oneLine(character) === character && !/[#_:]/.test(character);
  return isWritten && !(at === 0 && character === "-") ? character : octal(character);
}

const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
