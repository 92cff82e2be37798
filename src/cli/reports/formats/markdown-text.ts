import { sharedStart } from "../../document/equal";

// Text that is safe in Markdown.

/** Up to this number names are listed without a collapsible section. */
export const MAX_EXPANDED_NAMES = 20;

/** Names that are longer together share their beginning, so that a review of many stays short. */
const MAX_NAMES = 4_000;

export const shortened = (names: readonly string[]): string => code(sharedStart(names, MAX_NAMES).join(", "));

/** A collapsible section of a list item. The summary is HTML, where a name is no code. */
export const details = (summary: string, content: string): string =>
  indented(
    `\n<details><summary>${summary.replaceAll("`", "").replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`)}</summary>\n\n${content}\n\n</details>\n`,
  );

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

/** What a change or a drift means for access. */
export const STRICTNESS_LABELS = {
  looser: "🔓 **loosens**",
  mixed: "🔓 **loosens** and tightens",
  tighter: "🔒 tightens",
};

/** Reserved for required parts at the end, such as the number of omitted objects. */
const RESERVE = 400;

/** Collects text up to a maximum length in UTF-8 bytes. Services that count characters count fewer. */
export class Budget {
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit - RESERVE;
  }

  /** Adds a part if it fits. */
  try(part: string): boolean {
    if (this.#length + Buffer.byteLength(part) > this.#limit) return false;
    this.must(part);
    return true;
  }

  /** Adds a part even beyond the limit. */
  must(part: string): void {
    this.#parts.push(part);
    this.#length += Buffer.byteLength(part);
  }

  text(): string {
    return this.#parts.join("");
  }
}
