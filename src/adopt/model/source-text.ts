import { oneLine } from "../../text";

/**
 * Characters that a source file must not contain unescaped. They are control and format characters, lone
 * surrogates, private and unassigned code points, and separators other than the space. Marks that combine with the
 * character before them are included.
 */
const UNSAFE = /[\p{C}\p{M}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes the characters that a source file must not contain; `escapeOne` returns the escape of one character. */
export const escapeUnsafe = (text: string, escapeOne: (character: string) => string): string =>
  text.replace(UNSAFE, (found) => SHORT[found] ?? escapeOne(found));

/** Matches marks that would combine with the comment's own characters, because no character of the text is before them. */
const LOOSE_MARKS = /(?<![\p{L}\p{N}\p{S}\p{M}])\p{M}+/gu;

/** Text of a comment on one line. Marks of its letters stay: without them, a name would be another one. */
export const commentText = (text: string): string => oneLine(text).replace(LOOSE_MARKS, "");

/**
 * Escapes a text of the service for Terraform and cdktf. Both replace parts of strings: Terraform `${…}` and
 * `%{…}`, and cdktf its tokens, which it finds anywhere in a string.
 */
export const terraformText = (text: string): string =>
  text.replace(/[$%#&]+(?=\{TfToken\[)|[$%]+(?=\{)/g, (signs, at: number) =>
    signs.length === 1 && !text.startsWith("{TfToken[", at + 1) ? `${signs}${signs}` : `\${"${signs}"}`,
  );

/** Whether a text can be a value at all: Terraform's strings are Unicode, without lone surrogates. */
export const isUnicode = (text: string): boolean => !/\p{Cs}/u.test(text);
