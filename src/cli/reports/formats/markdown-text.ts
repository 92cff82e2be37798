// Text that is safe in Markdown.

/** Indents the content of a list item. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** A fence longer than any run of backticks in the text. */
export const fence = (text: string): string => "`".repeat(Math.max(3, longestRun(text) + 1));

/** The text as code, so that nothing in it is markup. */
export function code(text: string): string {
  const mark = "`".repeat(longestRun(text) + 1);
  const flat = text.replace(/\s+/g, " ");
  return flat.startsWith("`") || flat.endsWith("`") ? `${mark} ${flat} ${mark}` : `${mark}${flat}${mark}`;
}

/** Matches an address that ends nowhere within Markdown's own characters. */
const PLAIN_URL = /^https?:\/\/[\w.:%/-]+$/;

/** A name as code, with a link if the address is safe. */
export const linked = (text: string, url: string | undefined): string =>
  url !== undefined && PLAIN_URL.test(url) ? `[${code(text)}](${url})` : code(text);

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Matches text without markup, entities or addresses that renderers turn into links. */
const PROSE = /^(?!.*(?:\/\/|www\.))[\p{L}\p{N} .,:;'"()/%=?+-]*$/iu;

/** A plain sentence, or code if a renderer would find a link, a mention or markup in it. */
export const prose = (text: string): string => (PROSE.test(text) ? text : code(text));
