import type { Report } from "./model";

/**
 * An address as people write it, or as it stands in a URL. What closes a text around it (quotes, brackets, commas,
 * colons) is no part of it.
 */
const EMAIL = /([^\s"'`<>()[\]{},;:=|/\\@]+)(@|%40)([^\s"'`<>()[\]{},;:=|/\\@%]*[\p{L}\p{N}])/giu;

/**
 * Masks the e-mail addresses in every text of a report: `ana@example.com` becomes `a***@example.com`, and another
 * address that would read the same `a***2@example.com`, so that two objects never look like one.
 */
export function maskEmails(report: Report): Report {
  const mask = new Mask();
  return mask.value(report) as Report;
}

class Mask {
  /** Masked addresses by the real ones. */
  readonly #known = new Map<string, string>();
  readonly #taken = new Map<string, number>();

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
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const form = `${[...person.toLowerCase()][0]}***@${host.toLowerCase()}`;
    const count = (this.#taken.get(form) ?? 0) + 1;
    this.#taken.set(form, count);
    const masked = count === 1 ? form : form.replace("***@", `***${count}@`);
    this.#known.set(address, masked);
    return masked;
  }
}
