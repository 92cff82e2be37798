import { isOneLine, oneLine } from "../../text";

/** Whether a text can stand as it is, over several lines. */
export const isPlainText = (text: string): boolean => text.split("\n").every(isOneLine);

/** The text in quotes. */
export const quote = (text: string): string => oneLine(JSON.stringify(text));

/** A name on the left of `=`: as it is where it may stand without quotes. */
export const fieldName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? name : quote(name);
