/** The word that replaces code, links and values in a sentence, where the grammar needs a noun. */
const NOUN = "Code";

/** Replaces code in backquotes, targets of links and placeholders by nouns. Joins lines. */
export function plainText(text: string): string {
  return text
    .replace(/\{@link\s+[^}]*\}/g, NOUN)
    .replace(/``.*?``|`[^`]*`/gs, NOUN)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/https?:\/\/\S+/g, NOUN)
    .replace(/<[^<>\n]*>/g, NOUN)
    .replace(/\*\*|__/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Returns the sentences of a paragraph. A colon or a semicolon does not end a sentence. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?]["')]?)\s+(?=["'(]?[A-Z0-9])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Counts the words of a text. Signs between spaces do not count. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
