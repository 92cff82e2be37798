/** What a terminal would obey instead of show, and what reverses the order of text: control characters and bidi marks. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The text with nothing in it that a terminal would obey. Tabs and line breaks stay. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escapeCharacter);

/** Whether a text can stand as it is, over several lines. */
export const isPlainText = (text: string): boolean => text.search(UNPRINTABLE) === -1;

/** The text in quotes. */
export const quote = (text: string): string => printable(JSON.stringify(text));

/** A name on the left of `=`: as it is where it may stand without quotes. */
export const fieldName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : quote(name);
