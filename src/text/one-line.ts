/**
 * What a terminal or a log obeys instead of showing it: control characters (C0, with tab and line ends, and C1), format
 * characters (marks that reverse text, have no width or begin a file), the two line ends of Unicode, and halves of pairs.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** Most text has nothing of this, and needs no closer look: a plan has hundreds of thousands of lines. */
const SUSPECT = /[^ -~]|##|::|section_/i;

/** Words that a CI system obeys wherever they stand in a line: `##[error]`, `##vso[…]`, `##teamcity[…]`, sections of a log. */
const COMMAND = /##(?=\w*\[)|section_(?=(?:start|end):\d)/gi;

/**
 * The same for `::error::`, which is obeyed where nothing but white space stands before it. So it is shown by its escape
 * behind every space: whoever wraps the line, as Terraform does with a detail, would put it in front of one.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours show nothing, so they are no text before it.
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
 * A text from elsewhere as a part of one line, or as a whole one: nothing in it ends the line, steers a terminal, hides, or
 * is obeyed by the CI system that keeps the log. What would is shown by its escape, such as `\n` and `\u001b`.
 *
 * The escapes are JSON's, so that a line of JSON stays JSON of the same value. What has been through it stays as it is.
 */
export const oneLine = (text: string): string =>
  SUSPECT.test(text) ? withoutCommands(text.replace(UNSAFE, escaped)) : text;

/** Colours and weights, as `views/style.ts` of the command and Terraform write them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is how a terminal is told.
const COLOUR = /(\u001b\[[\d;]*m)/;

/** A line that may hold colours of our own, made safe beside them. */
export const colouredLine = (text: string): string =>
  withoutCommands(
    text
      .split(COLOUR)
      .map((part, at) => (at % 2 === 1 ? part : part.replace(UNSAFE, escaped)))
      .join(""),
  );

/** Whether a text can stand as it is on a line of its own. */
export const isOneLine = (text: string): boolean => oneLine(text) === text;
