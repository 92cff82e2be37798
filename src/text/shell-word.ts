import { oneLine } from "./one-line";

/** Words that every shell takes as they are. */
const PLAIN = /^[\w:./@+-]+$/;

/**
 * A text as one word of a command to be copied into a POSIX shell, which takes it as exactly this text. A word with
 * characters that must not be shown has `printf` write them. A word can't hold U+0000; half of a pair becomes U+FFFD.
 */
export const shellWord = (text: string): string => (PLAIN.test(text) ? text : quotedShellWord(text));

/** The same in quotes whatever it is, for a word that people put another one in place of. */
export function quotedShellWord(text: string): string {
  const quoted = singleQuoted(text);
  return oneLine(quoted) === quoted ? quoted : printed(text);
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A shell drops the line ends at the end of what a command writes; this is one that it keeps. */
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
  // A hyphen in front would be an option of printf. `##[` and `section_start:` are what a CI system obeys.
  const isWritten = oneLine(character) === character && !/[#_:]/.test(character);
  return isWritten && !(at === 0 && character === "-") ? character : octal(character);
}

const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
