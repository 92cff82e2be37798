/** Prefix of each line from another source, which distinguishes it from our own lines. */
const BAR = "| ";

const linesOf = (text: string): string[] => text.replaceAll("\r\n", "\n").split("\n");

/** Indents and quotes text of several lines from another source, such as the output of a failed program. */
export const quotedLines = (text: string): string[] =>
  linesOf(text).map((line) => `    ${BAR}${line}`.trimEnd());

/** Quotes all lines but the first, for text that takes the place of a sentence of ours. */
export function statedLines(text: string): string[] {
  const [first, ...rest] = linesOf(text);
  return [first!, ...rest.map((line) => `${BAR}${line}`.trimEnd())];
}
