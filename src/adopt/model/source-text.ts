import { oneLine } from "../../text";

/**
 * Characters that a source file must not contain unescaped. These characters are control and format characters, lone
 * surrogates, private and unassigned code points, and separators other than the space. The pattern also matches marks that
 * combine with the character before them.
 */
const UNSAFE = /[\p{C}\p{M}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes the characters that a source file must not contain; `escapeOne` returns the escape of one character. */
export const escapeUnsafe = (text: string, escapeOne: (character: string) => string): string =>
  text.replace(UNSAFE, (found) => SHORT[found] ?? escapeOne(found));

/**
 * Matches combining marks that follow no letter, digit or symbol. In a comment, such marks would combine with the characters of
 * the comment sign.
 */
const LOOSE_MARKS = /(?<![\p{L}\p{N}\p{S}\p{M}])\p{M}+/gu;

/**
 * Returns a text for a comment on one line. A combining mark after a letter stays, because a name without the mark would be a
 * different name.
 */
export const commentText = (text: string): string => oneLine(text).replace(LOOSE_MARKS, "");

/**
 * Escapes a text of the service for code that cdktf and Terraform read. Terraform replaces `${…}` and `%{…}` in a string; cdktf
 * replaces its own tokens.
 */
export const terraformText = (text: string): string =>
  text.replace(/[$%#&]+(?=\{TfToken\[)|[$%]+(?=\{)/g, (signs, at: number) =>
    signs.length === 1 && !text.startsWith("{TfToken[", at + 1) ? `${signs}${signs}` : `\${"${signs}"}`,
  );

/** Returns whether a text can be a string of Terraform, which is Unicode without lone surrogates. */
export const isUnicode = (text: string): boolean => !/\p{Cs}/u.test(text);
