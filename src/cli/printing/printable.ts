import { isOneLine, oneLine } from "../../text";

/** Whether a text can be printed verbatim over several lines. */
export const isPlainText = (text: string): boolean => text.split("\n").every(isOneLine);

/** The text in quotes. */
export const quote = (text: string): string => oneLine(JSON.stringify(text));

/** A name on the left of `=`, quoted if it is not an identifier. */
export const fieldName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : quote(name);
