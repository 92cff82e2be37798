import { oneLine } from "../../text";

/**
 * What a source file must not contain as it is: control and format characters, lone surrogates, private and unassigned
 * code points, separators other than the space, and marks that combine with the character before them.
 */
const UNSAFE = /[\p{C}\p{M}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes what a source file must not contain; `escapeOne` returns the escape of one character. */
export const escapeUnsafe = (text: string, escapeOne: (character: string) => string): string =>
  text.replace(UNSAFE, (found) => SHORT[found] ?? escapeOne(found));

/** Matches marks that would combine with the comment's own characters, because no character of the text is before them. */
const LOOSE_MARKS = /(?<![\p{L}\p{N}\p{S}\p{M}])\p{M}+/gu;

/** Text of a comment on one line. Marks of its letters stay: without them, a name would be another one. */
export const commentText = (text: string): string => oneLine(text).replace(LOOSE_MARKS, "");

/**
 * A text of the service as Terraform and cdktf must be given it: both replace parts of strings, Terraform `${…}` and
 * `%{…}`, cdktf its own tokens, which it looks for in the whole string.
 */
export const terraformText = (text: string): string =>
  text.replace(/[$%#&]+(?=\{TfToken\[)|[$%]+(?=\{)/g, (signs, at: number) =>
    signs.length === 1 && !text.startsWith("{TfToken[", at + 1) ? `${signs}${signs}` : `\${"${signs}"}`,
  );

/** Whether a text can be a value at all: Terraform's strings are Unicode, without lone surrogates. */
export const isUnicode = (text: string): boolean => !/\p{Cs}/u.test(text);
