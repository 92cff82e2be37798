/** Returns a text in upper case. As in Terraform, each character is converted separately, so "ß" stays "ß". */
export const upperCase = (text: string): string => changeCase(text, (one) => one.toUpperCase());

export function lowerCase(text: string): string {
  // In Terraform, the lower case of this letter is "i". JavaScript would add a combining dot.
  return changeCase(text.replaceAll("\u0130", "i"), (one) => one.toLowerCase());
}

const ASCII = /^[\x20-\x7e\n\t\r]*$/;

function changeCase(text: string, change: (character: string) => string): string {
  if (ASCII.test(text)) return change(text);
  return Array.from(text, (one) => {
    const changed = change(one);
    return [...changed].length === 1 ? changed : one;
  }).join("");
}

const LETTER = /\p{L}/u;
const WORD = /[\p{L}\p{N}_]/u;
const ASCII_WORD = /[0-9A-Za-z_]/;
const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Returns a text in which each word begins with an upper case letter. */
export function titleCase(text: string): string {
  let before = " ";
  return Array.from(text, (one) => {
    const isWordStart = isSeparator(before) && LETTER.test(one);
    before = one;
    return isWordStart ? upperCase(one) : one;
  }).join("");
}

function isSeparator(character: string): boolean {
  if (character <= "\x7f") return !ASCII_WORD.test(character);
  return !WORD.test(character) && SPACE.test(character);
}

const AROUND = new RegExp(`^${SPACE.source}+|${SPACE.source}+$`, "g");

/** Returns a text without the white space at both ends. */
export const trimSpace = (text: string): string => text.replace(AROUND, "");

/** Returns a text without the characters of a set at both ends. */
export function trimCharacters(text: string, cutset: string): string {
  const cut = new Set(cutset);
  const characters = [...text];
  let start = 0;
  let end = characters.length;
  while (start < end && cut.has(characters[start]!)) start++;
  while (end > start && cut.has(characters[end - 1]!)) end--;
  return characters.slice(start, end).join("");
}

/** Matches a text without combining characters. In a text that matches, each code unit is one character. */
const SIMPLE = /^[\x20-\x7e\n\t]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Returns the grapheme clusters of a text. Terraform counts, cuts and reverses texts by these clusters. */
export function graphemes(text: string): string[] {
  if (SIMPLE.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
