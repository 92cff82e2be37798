/** The variable with the addresses that the code does not hold. */
export const EMAILS_VARIABLE = "emails";
/** The file with the addresses, which Terraform and the engine read by themselves. */
export const EMAILS_FILE = `${EMAILS_VARIABLE}.auto.tfvars.json`;

/** How the code names the e-mail addresses of invitations. */
export class Emails {
  readonly #names = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  #last = 0;

  /** @param known addresses by the names that an earlier adoption gave them */
  constructor(
    /** Whether addresses stand in the code; otherwise it names them, and a file beside it has them. */
    readonly isIncluded: boolean,
    private readonly known: Readonly<Record<string, string>> = {},
  ) {
    for (const [name, address] of Object.entries(known)) this.#names.set(address.toLowerCase(), name);
  }

  /** The name of an address. Spellings that differ in case are one address. */
  nameOf(address: string): string {
    const key = address.toLowerCase();
    let name = this.#names.get(key);
    while (name === undefined) {
      const next = `invitee-${++this.#last}`;
      if (!(next in this.known)) name = next;
    }
    this.#names.set(key, name);
    if (!this.#addresses.has(name)) this.#addresses.set(name, address);
    return name;
  }

  /** The addresses that were named, by name. */
  get addresses(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#addresses);
  }
}

/** Leaves out what looks like an e-mail address. */
export const withoutAddresses = (text: string): string =>
  text.replace(/[^\s@"'`<>()]+@[^\s@"'`<>()]+/g, "(address left out)");
