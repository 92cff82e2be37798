import { oneLine } from "../../text";
import { withTexts } from "../document/equal";
import type { Report } from "../document/model";

/**
 * Matches an e-mail address in text or in a URL. The delimiters around the address (quotes, brackets, commas, colons) are not
 * part of the address.
 */
const EMAIL = /([^\s"'`<>()[\]{},;:=|/\\@]+)(@|%40)([^\s"'`<>()[\]{},;:=|/\\@%]*[\p{L}\p{N}])/giu;

/**
 * Masks all e-mail addresses in a report. `ana@example.com` becomes `a***@example.com`; a second address with
 * the same mask becomes `a***2@example.com`, so that different addresses stay distinct.
 */
export const maskEmails = (report: Report): Report => withTexts(report, emailMask());

/**
 * Returns a function that masks e-mail addresses in texts. The returned function can be used for several texts, because the
 * same address always gets the same mask.
 */
export function emailMask(): (text: string) => string {
  const masks = new Map<string, string>();
  const uses = new Map<string, number>();
  const masked = (person: string, host: string): string => {
    const address = `${person}@${host}`.toLowerCase();
    const known = masks.get(address);
    if (known !== undefined) return known;
    const form = `${[...person.toLowerCase()][0]}***@${host.toLowerCase()}`;
    const count = (uses.get(form) ?? 0) + 1;
    uses.set(form, count);
    const mask = count === 1 ? form : form.replace("***@", `***${count}@`);
    masks.set(address, mask);
    return mask;
  };
  return (text) =>
    text.replace(EMAIL, (_, person: string, at: string, host: string) =>
      masked(person, host).replace("@", at),
    );
}

/** Lists the e-mail addresses in a text. In a URL, an address has `%40` instead of `@`. */
export const addressesIn = (text: string): string[] =>
  [...text.matchAll(EMAIL)].map(([, person, , host]) => `${person}@${host}`);

/** Replaces the e-mail addresses in a text. If an address has `%40` instead of `@`, the new address also has `%40`. */
export const replaceAddresses = (
  text: string,
  replacement: (address: string, at: string) => string,
): string =>
  text.replace(EMAIL, (_, person: string, at: string, host: string) => replacement(`${person}@${host}`, at));

/** Returns a text whose lines are all safe to print. */
export const printableLines = (text: string): string => text.split("\n").map(oneLine).join("\n");

/**
 * The names of the fields that can have several lines. In another field, a line end can only come from a name, so Steward
 * replaces it.
 */
const MULTILINE_FIELDS: ReadonlySet<string> = new Set(["detail"]);

/**
 * Returns a report that is safe to print, for formats that people read. No name in the returned report contains a line end or
 * a control character.
 */
export const printableReport = (report: Report): Report =>
  withTexts(report, (text, field) => (MULTILINE_FIELDS.has(field) ? printableLines(text) : oneLine(text)));
