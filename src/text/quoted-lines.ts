/** Stands before each line that somebody else broke: none of them can be taken for a line of ours. */
const BAR = "| ";

const linesOf = (text: string): string[] => text.replaceAll("\r\n", "\n").split("\n");

/** What somebody else wrote over several lines, such as a program that failed: set in, each line behind a bar. */
export const quotedLines = (text: string): string[] =>
  linesOf(text).map((line) => `    ${BAR}${line}`.trimEnd());

/** A statement by somebody else that stands for one of ours: its first line as it is, the others behind a bar. */
export function statedLines(text: string): string[] {
  const [first, ...rest] = linesOf(text);
  return [first!, ...rest.map((line) => `${BAR}${line}`.trimEnd())];
}
