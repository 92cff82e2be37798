import { idText } from "./names";

/** The variable with the addresses that the code does not hold. */
export const EMAILS_VARIABLE = "emails";

/** How an app names the e-mail addresses of invitations. */
export class Emails {
  /** Whether addresses stand in the code; otherwise it names them, and a file beside the app has them. */
  readonly isIncluded: boolean;
  readonly #names = new Map<string, string>();
  readonly #addresses: Map<string, string>;
  #last = 0;

  /** @param known addresses by the names that an app has for them already */
  constructor(isIncluded: boolean, known: Readonly<Record<string, string>> = {}) {
    this.isIncluded = isIncluded;
    this.#addresses = new Map(Object.entries(known));
    for (const [name, address] of this.#addresses) this.#names.set(address.toLowerCase(), name);
  }

  /** The name of an address. Spellings that differ in case are one address. */
  nameOf(address: string): string {
    const known = this.#names.get(address.toLowerCase());
    if (known !== undefined) return known;
    let name: string;
    do name = `invitee-${++this.#last}`;
    while (this.#addresses.has(name));
    this.#names.set(address.toLowerCase(), name);
    this.#addresses.set(name, address);
    return name;
  }

  /** A part of a construct id. */
  idOf(address: string): string {
    return this.isIncluded ? idText(address) : this.nameOf(address);
  }

  /** Addresses by name. */
  get addresses(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#addresses);
  }
}

/** Leaves out what looks like an e-mail address. */
export const withoutAddresses = (text: string): string =>
  text.replace(/[^\s@"'`<>()]+@[^\s@"'`<>()]+/g, "(address left out)");
