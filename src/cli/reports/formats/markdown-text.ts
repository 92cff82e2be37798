import { groupBy } from "../../../engine";
import { counted } from "../../../text";
import type { NamedContainer } from "../../document/equal";

// This file makes texts safe in Markdown.

/** The maximum number of names that are listed without a collapsible section. */
export const MAX_EXPANDED_NAMES = 20;

/** The maximum length of a list of project names in one line. A longer list has a line for each group. */
const MAX_NAMES = 4_000;

/**
 * The maximum length of a list of addresses. A longer list contains the common parts of the addresses only once, so that
 * people can still review the list.
 */
const MAX_ADDRESSES = 16_000;

/** Returns the names of many projects or groups, as the content of a collapsible section. */
export function placeNames(places: readonly NamedContainer[]): string {
  const nameOf = ({ name, keys }: NamedContainer, from = 0) =>
    [name.slice(from), ...(keys.length > 0 ? [`(${keys.join(", ")})`] : [])].join(" ");
  const all = code(places.map((place) => nameOf(place)).join(", "));
  if (all.length <= MAX_NAMES) return all;
  return [...groupBy(places, ({ name }) => name.slice(0, name.lastIndexOf("/") + 1))]
    .map(([group, of]) => {
      const names = code(of.map((place) => nameOf(place, group.length)).join(", "));
      return `- ${group === "" ? "" : `${code(group)}: `}${names}`;
    })
    .join("\n");
}

/** Returns the addresses of equal changes, as the content of a collapsible section. */
export function addressesOf(all: readonly string[]): string {
  const text = all.join("\n");
  if (text.length > MAX_ADDRESSES) {
    const start = sharedStart(all).replace(/[\p{L}\p{N}\p{Cs}]+$/u, "");
    const rests = all.map((one) => one.slice(start.length));
    const end = reversed(sharedStart(rests.map(reversed))).replace(/^[\p{L}\p{N}\p{Cs}]+/u, "");
    const keys = rests.map((rest) => rest.slice(0, rest.length - end.length));
    if (!keys.some((key) => key === "" || key.includes(",")))
      return `${code(`${start}…${end}`)}, where … is ${code(keys.join(", "))}`;
  }
  return `${fence(text)}text\n${text}\n${fence(text)}`;
}

function sharedStart([first = "", ...others]: readonly string[]): string {
  let { length } = first;
  for (const one of others) while (!one.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

const reversed = (text: string): string => text.split("").reverse().join("");

/** Returns a collapsible section within a list item. `summary` is HTML, so Markdown in it has no effect. */
export const details = (summary: string, content: string): string =>
  indented(
    `\n<details><summary>${summary.replaceAll("`", "").replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`)}</summary>\n\n${content}\n\n</details>\n`,
  );

/** Indents a text, so that it belongs to a list item. */
export const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ");

/** Returns a fence that is longer than any run of backticks in the text. */
export const fence = (text: string): string => "`".repeat(Math.max(3, longestRun(text) + 1));

/** Returns a text formatted as code, so that no part of it is markup. */
export function code(text: string): string {
  // An empty text becomes a space. Two backticks without text would open a code span that ends only at the next two
  // backticks.
  if (text === "") return "` `";
  const mark = "`".repeat(longestRun(text) + 1);
  const flat = text.replace(/\s+/g, " ");
  return flat.startsWith("`") || flat.endsWith("`") ? `${mark} ${flat} ${mark}` : `${mark}${flat}${mark}`;
}

/** Matches a web address without characters that Markdown interprets. */
const PLAIN_URL = /^https?:\/\/[\w.:%/-]+$/;

/** Returns a name as code, with a link if the address is safe. */
export const linked = (text: string, url: string | undefined): string =>
  url !== undefined && PLAIN_URL.test(url) ? `[${code(text)}](${url})` : code(text);

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Matches a text that contains no markup, no entity, and no address that a renderer would turn into a link. */
const PROSE = /^(?!.*(?:\/\/|www\.))[\p{L}\p{N} .,:;'"()/%=?+-]*$/iu;

/**
 * Returns a plain sentence unchanged. If a renderer would find a link, a mention or markup in the sentence, formats it as code.
 */
export const prose = (text: string): string => (PROSE.test(text) ? text : code(text));

/** The labels for the effect of a change or drift on access. */
export const STRICTNESS_LABELS = {
  looser: "🔓 **loosens**",
  mixed: "🔓 **loosens** and tightens",
  tighter: "🔒 tightens",
};

/**
 * The number of bytes that are reserved for the required parts at the end of a comment, such as the number of omitted
 * objects.
 */
const RESERVE = 400;

/**
 * Collects text up to a maximum length in UTF-8 bytes. A service that limits the number of characters accepts the text too,
 * because a character has at least one byte.
 */
export class Budget {
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit - RESERVE;
  }

  /** Adds a part if it fits. Returns true if the part was added. */
  try(part: string): boolean {
    if (this.#length + Buffer.byteLength(part) > this.#limit) return false;
    this.must(part);
    return true;
  }

  /** Adds a part, even if the text then exceeds the maximum length. */
  must(part: string): void {
    this.#parts.push(part);
    this.#length += Buffer.byteLength(part);
  }

  /**
   * Adds as many parts as fit, and a line with the number of the omitted parts.
   *
   * @param noun the noun for the omitted parts, such as `object`
   * @param add adds an item, and returns the number of omitted parts
   */
  each<T>(items: readonly T[], noun: string, add: (item: T) => number): void {
    const omitted = items.reduce((sum, item) => sum + add(item), 0);
    if (omitted > 0)
      this.must(
        `\n${counted(omitted, `more ${noun}`)}: too many for a comment. The JSON report has them all.\n`,
      );
  }

  text(): string {
    return this.#parts.join("");
  }
}
