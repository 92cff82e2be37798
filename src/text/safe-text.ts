/**
 * Characters that a terminal or a log interprets instead of showing them. The characters are control characters (C0,
 * including tab and line ends, and C1) and format characters (bidirectional and zero-width marks, byte order marks).
 * The two Unicode line separators and lone surrogates are included too.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * Matches every text that can need an escape. This test is fast, and most of the hundreds of thousands of lines of a plan do
 * not match.
 */
const SUSPECT = /[^ -~]|##|::|section_/i;

/**
 * Commands that a CI system interprets anywhere in a line: `##[error]`, `##vso[…]`, `##teamcity[…]`, log
 * sections.
 */
const COMMAND = /##(?=\w*\[)|section_(?=(?:start|end):\d)/gi;

/**
 * Matches commands such as `::error::`, which a CI system interprets only at the start of a line. Also matches these
 * commands after a space, because software that wraps lines, such as Terraform, could move a command to the start of a
 * line.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour sequence before `::` is invisible, so the command is still at the line's start.
const COMMAND_OF_A_LINE = /^((?:\s|\u001b\[[\d;]*m)*)::|(?<=\s)::(?=\S.*?::)/g;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const escaped = (text: string): string =>
  SHORT[text] ??
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");

const firstEscaped = (text: string): string => `${escaped(text[0]!)}${text.slice(1)}`;

const withoutCommands = (text: string): string =>
  text.replace(COMMAND, firstEscaped).replace(COMMAND_OF_A_LINE, (_, space = "") => `${space}\\u003a:`);

/**
 * Makes text from other sources safe as a part of one line. The result contains no line end, terminal control or invisible
 * character, and no command of the CI system that keeps the log. Unsafe characters are escaped, as in `\n` and `\u001b`.
 *
 * The escapes are valid in JSON, so a line of JSON keeps its value. Calling the function twice changes
 * nothing more.
 */
export const oneLine = (text: string): string =>
  SUSPECT.test(text) ? withoutCommands(text.replace(UNSAFE, escaped)) : text;

/** Matches the terminal sequences for colours and bold text that `views/style.ts` of the CLI and Terraform write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal colour begins with the escape character.
const COLOUR = /(\u001b\[[\d;]*m)/;

/** Returns the same text as `oneLine`, but keeps Steward's own colours. */
export const colouredLine = (text: string): string =>
  withoutCommands(
    text
      .split(COLOUR)
      .map((part, at) => (at % 2 === 1 ? part : part.replace(UNSAFE, escaped)))
      .join(""),
  );

/** Returns whether a text is safe as a part of one line, so that `oneLine` would not change it. */
export const isOneLine = (text: string): boolean => oneLine(text) === text;

/** Returns whether every line of a text is safe, so that the text can be printed unchanged. */
export const isPlainText = (text: string): boolean => text.split("\n").every(isOneLine);

/** Returns a text in quotes, safe as a part of one line. */
export const quote = (text: string): string => oneLine(JSON.stringify(text));

/** The prefix of each line from another source. The prefix distinguishes such a line from Steward's own lines. */
const BAR = "| ";

const linesOf = (text: string): string[] => text.replaceAll("\r\n", "\n").split("\n");

/** Indents and quotes the lines of a text from another source, such as the output of a failed program. */
export const quotedLines = (text: string): string[] =>
  linesOf(text).map((line) => `    ${BAR}${line}`.trimEnd());

/**
 * Puts the prefix before all lines except the first. Callers use it to print a text from another source instead of a sentence of
 * Steward.
 */
export function statedLines(text: string): string[] {
  const [first, ...rest] = linesOf(text);
  return [first!, ...rest.map((line) => `${BAR}${line}`.trimEnd())];
}

/** Matches words that need no quotes in any shell. */
const PLAIN = /^[\w:./@+-]+$/;

/**
 * Returns a text as one word of a command for a POSIX shell, in quotes if necessary. If a character is not safe to print, the
 * word is a call of `printf` that writes the text. The text must not contain U+0000. A lone surrogate becomes U+FFFD.
 */
export const shellWord = (text: string): string =>
  PLAIN.test(text) && isOneLine(text) ? text : quotedShellWord(text);

/** Returns the same word as `shellWord`, but always in quotes. The function is for placeholders that users replace. */
export function quotedShellWord(text: string): string {
  const quoted = singleQuoted(text);
  return isOneLine(quoted) ? quoted : printed(text);
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A shell expression for a line end. Commands need this expression, because `$(printf …)` drops line ends at the end of
 * the output.
 */
const LINE_END = '"${IFS#??}"';

function printed(text: string): string {
  const [, body = "", ends = ""] = /^(.*?)(\n*)$/s.exec(text)!;
  const format = [...body].map(inFormat).join("");
  const word = body === "" ? "" : `"$(printf ${singleQuoted(format)})"`;
  return `${word}${LINE_END.repeat(ends.length)}`;
}

/** Writes one character in the format of `printf`. */
function inFormat(character: string, at: number): string {
  if (character === "%") return "%%";
  if (character === "\\") return "\\\\";
  // A leading hyphen is written in octal, because `printf` would read it as an option. `#`, `_` and `:` are written in octal,
  // because CI commands such as `##[` and `section_start:` contain them.
  const isWritten = oneLine(character) === character && !/[#_:]/.test(character);
  return isWritten && !(at === 0 && character === "-") ? character : octal(character);
}

const octal = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");

/** The text that replaces a sensitive value in the output. */
export const SENSITIVE = "(sensitive value)";

/**
 * The minimum length of a value that is replaced everywhere. A shorter value can be a part of ordinary words, so it is replaced
 * only as a whole word.
 */
const MIN_SUBSTRING_LENGTH = 8;

/**
 * Replaces sensitive values in text, such as messages of the service and ids that contain a sensitive name.
 */
export class SensitiveTexts {
  readonly #texts = new Set<string>();
  /** The long values with their JSON and URL encodings. Undefined from the addition of a value until the next use. */
  #encodings: readonly string[] | undefined;

  /** Adds every text and every number in a value. */
  add(value: unknown): void {
    if (typeof value === "string" && value !== "") this.#add(value);
    else if (typeof value === "number" || typeof value === "bigint") this.#add(String(value));
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) this.add(one);
  }

  #add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#encodings = undefined;
  }

  /** Replaces only long values in a text, because a short value could be an ordinary word. */
  redactText(text: string): string {
    if (this.#texts.size === 0) return text;
    this.#encodings ??= encodingsOf([...this.#texts].filter(({ length }) => length >= MIN_SUBSTRING_LENGTH));
    return this.#encodings.reduce((left, secret) => left.replaceAll(secret, SENSITIVE), text);
  }

  /** Replaces long and short values in an id, because an id consists of names and numbers. It ignores case. */
  redactId(id: string): string {
    let shown = this.redactText(id);
    for (const text of this.#texts) if (text.length <= shown.length) shown = redactWord(shown, text);
    return shown;
  }

  /**
   * Replaces values in a message. In paths and quoted parts, also replaces short values; elsewhere, replaces only long
   * values.
   */
  redactMessage(text: string): string {
    if (this.#texts.size === 0) return text;
    return this.redactText(
      text
        .replace(QUOTED, (quoted) => `"${this.redactId(quoted.slice(1, -1))}"`)
        .replace(PATH, (path) => this.redactPath(path)),
    );
  }

  /**
   * Replaces each part of a URL path that contains a value. Each part is treated as an id, so short values are replaced
   * too.
   */
  redactPath(path: string): string {
    if (this.#texts.size === 0) return path;
    return path
      .split("/")
      .map((part) => {
        const decoded = decode(part);
        return this.redactId(decoded) === decoded ? part : SENSITIVE;
      })
      .join("/");
  }
}

const encodingsOf = (texts: readonly string[]): string[] =>
  [
    ...new Set(texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])),
  ].sort((one, other) => other.length - one.length);

const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;
const PATH = /(?<=^|[\s(])\/[^\s/][^\s,;)]*/g;

const WORD = /[\p{L}\p{N}]/u;

/** Replaces a value in a text: a short value only as a whole word, and a long value everywhere. Ignores case. */
function redactWord(shown: string, text: string): string {
  const [from, word] = [shown.toLowerCase(), text.toLowerCase()];
  // Conversion to lower case can change the length of a text, and so the positions of matches. Then only exact matches are
  // replaced.
  if (from.length !== shown.length || word.length !== text.length) return shown.replaceAll(text, SENSITIVE);
  const isLong = word.length >= MIN_SUBSTRING_LENGTH;
  let result = "";
  let done = 0;
  for (let at = from.indexOf(word); at >= 0; at = from.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isWhole = !WORD.test(from[at - 1] ?? "") && !WORD.test(from[end] ?? "");
    if (at < done || !(isLong || isWhole)) continue;
    result += shown.slice(done, at) + SENSITIVE;
    done = end;
  }
  return result + shown.slice(done);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The percent sign does not start a valid encoding.
    return part;
  }
}
