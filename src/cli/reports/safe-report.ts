import { oneLine } from "../../text";
import { withTexts } from "../document/equal";
import type { Report } from "../document/model";

/**
 * Matches an e-mail address in text or in a URL. The delimiters around it (quotes, brackets, commas, colons)
 * are not part of the address.
 */
const EMAIL = /([^\s"'`<>()[\]{},;:=|/\\@]+)(@|%40)([^\s"'`<>()[\]{},;:=|/\\@%]*[\p{L}\p{N}])/giu;

/**
 * Masks all e-mail addresses in a report. `ana@example.com` becomes `a***@example.com`; a second address with
 * the same mask becomes `a***2@example.com`, so that different addresses stay distinct.
 */
export function maskEmails(report: Report): Report {
  const mask = new Mask();
  return mask.value(report) as Report;
}

class Mask {
  /** The mask of each address. */
  readonly #masks = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  value(value: unknown): unknown {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.#text(name), this.value(one)]),
    );
  }

  #text(text: string): string {
    return text.replace(EMAIL, (_, person: string, at: string, host: string) => {
      const masked = this.#masked(person, host);
      return at === "@" ? masked : masked.replace("@", at);
    });
  }

  #masked(person: string, host: string): string {
    const address = `${person}@${host}`.toLowerCase();
    const known = this.#masks.get(address);
    if (known !== undefined) return known;
    const form = `${[...person.toLowerCase()][0]}***@${host.toLowerCase()}`;
    const count = (this.#uses.get(form) ?? 0) + 1;
    this.#uses.set(form, count);
    const masked = count === 1 ? form : form.replace("***@", `***${count}@`);
    this.#masks.set(address, masked);
    return masked;
  }
}

/** Makes each line of a text safe to print. */
export const printableLines = (text: string): string => text.split("\n").map(oneLine).join("\n");

/** Fields that hold several lines. In all other fields a line end can only come from a name. */
const MULTILINE_FIELDS: ReadonlySet<string> = new Set(["detail"]);

/** A report for formats that people read. No name in it can end a line or contain control characters. */
export const printableReport = (report: Report): Report =>
  withTexts(report, (text, field) => (MULTILINE_FIELDS.has(field) ? printableLines(text) : oneLine(text)));
