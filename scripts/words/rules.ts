import type { TextlintRuleModule } from "@textlint/types";
import type { AvoidedTerm } from "./glossary";
import { type Kind, PATTERNS } from "./patterns";
import { countWords, plainText, sentencesOf } from "./text";

/** Finds the errors in one text: a paragraph, a heading, a table cell or a message. */
export type Check = (text: string, kind: Kind, place: "paragraph" | "heading" | "cell") => Iterable<string>;

/** Finds phrases that match the patterns of the style guide. */
export const patterns: Check = function* (text, kind) {
  for (const { name, find, advice, kinds } of PATTERNS) {
    if (kinds !== undefined && !kinds.includes(kind)) continue;
    for (const found of text.matchAll(find)) yield `${quoted(found)}: ${advice} (${name})`;
  }
};

/** Finds words that the glossary replaces by a term. */
export const terms = (avoided: readonly AvoidedTerm[]): Check =>
  function* (text) {
    for (const { find, term } of avoided) {
      for (const found of text.matchAll(find))
        yield `${quoted(found)}: the glossary's term is "${term}" (term)`;
    }
  };

/** Returns a match with a few words around it, so that people find the place in a long paragraph. */
function quoted({ 0: found, index, input }: RegExpMatchArray): string {
  const before = /(?:\S+\s+){0,2}$/.exec(input!.slice(0, index!))?.[0] ?? "";
  const after = /^\S*(?:\s+\S+){0,2}/.exec(input!.slice(index! + found.length))?.[0] ?? "";
  return `"${before}${found}${after}"`;
}

/** The maximum number of words in a sentence, a table cell, a title and a line of help. */
const LONGEST = { sentence: 25, cell: 25, title: 20, help: 20 };

/** Finds sentences, table cells, titles and lines of help that are too long. */
export const lengths: Check = function* (text, kind, place) {
  const words = countWords(text);
  if (place === "cell" && words > LONGEST.cell) {
    yield `${words} words in a table cell, ${LONGEST.cell} allowed: ${start(text)} (cell-length)`;
  } else if (kind === "title" || kind === "help") {
    if (words > LONGEST[kind])
      yield `${words} words, ${LONGEST[kind]} allowed: ${start(text)} (${kind}-length)`;
  } else if (place !== "cell") {
    for (const sentence of sentencesOf(text)) {
      const length = countWords(sentence);
      if (length > LONGEST.sentence)
        yield `${length} words in a sentence, ${LONGEST.sentence} allowed: ${start(sentence)} (sentence-length)`;
    }
  }
};

const start = (text: string) => (text.length > 60 ? `"${text.slice(0, 60)}…"` : `"${text}"`);

// biome-ignore lint/suspicious/noExplicitAny: a node of any type, with the kind that the plugin for TypeScript adds.
type AnyNode = any;

/** Makes a textlint rule that applies a check to each text of a file. */
export function textlintRule(check: Check): TextlintRuleModule {
  return (context) => {
    const path = context.getFilePath() ?? "";
    const pageKind: Kind = path.endsWith("CHANGELOG.md") ? "changelog" : "page";
    const report = (node: AnyNode, place: "paragraph" | "heading" | "cell") => {
      const text = plainText(textOf(node));
      for (const message of check(text, node.kind ?? pageKind, place)) {
        context.report(node, new context.RuleError(message));
      }
    };
    return {
      Paragraph: (node) => report(node, "paragraph"),
      Header: (node) => report(node, "heading"),
      TableCell: (node) => report(node, "cell"),
    };
  };
}

/** Returns the text of a node. Code becomes a quoted text, which `plainText` replaces by a noun. */
function textOf(node: AnyNode): string {
  if (node.type === "Code") return "`code`";
  if (node.type === "Html" || node.type === "HtmlComment" || node.type === "Image") return "";
  if (node.type === "Break") return " ";
  if (node.children !== undefined) return node.children.map(textOf).join("");
  return node.value ?? "";
}
