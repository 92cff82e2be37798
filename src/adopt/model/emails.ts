import type { AdoptedFile } from "./live-settings";

/** The name of the variable with the e-mail addresses, if the code contains a name such as `invitee-1` for each address. */
export const EMAILS_VARIABLE = "emails";
/** The file with the addresses. Terraform and the engine read this file without an option. */
export const EMAILS_FILE = `${EMAILS_VARIABLE}.auto.tfvars.json`;

/** The names in the code for the e-mail addresses of invitations. There are no names if the code contains the addresses. */
export class Emails {
  readonly #names = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  #last = 0;

  /** @param known the e-mail addresses of an earlier adoption, by their names in its code */
  constructor(
    /**
     * Whether the code contains the addresses. If false, the code has a name for each address, and a file next to the code maps
     * names to addresses.
     */
    readonly isIncluded: boolean,
    private readonly known: Readonly<Record<string, string>> = {},
  ) {
    for (const [name, address] of Object.entries(known)) this.#names.set(address, name);
  }

  /**
   * Returns the name that replaces an address in the code, and the template that reads the address. Returns undefined if the
   * value is not an address, or if the code contains addresses.
   */
  hidden(address: unknown): HiddenEmail | undefined {
    if (typeof address !== "string" || this.isIncluded) return undefined;
    const name = this.#nameOf(address);
    return { name, template: `\${var.${EMAILS_VARIABLE}["${name}"]}` };
  }

  /**
   * Returns the name that replaces an e-mail address in the code, such as `invitee-1`. Each spelling of an address has a
   * different name, because the service compares spellings exactly.
   */
  #nameOf(address: string): string {
    let name = this.#names.get(address);
    while (name === undefined) {
      const next = `invitee-${++this.#last}`;
      if (!(next in this.known)) name = next;
    }
    this.#names.set(address, name);
    if (!this.#addresses.has(name)) this.#addresses.set(name, address);
    return name;
  }

  /** The e-mail addresses by their names in the code; undefined if no address has a name. */
  get named(): Readonly<Record<string, string>> | undefined {
    return this.#addresses.size === 0 ? undefined : Object.fromEntries(this.#addresses);
  }

  /** The file with the named e-mail addresses, in a list. The list is empty if no address has a name. */
  get files(): AdoptedFile[] {
    const content = { [EMAILS_VARIABLE]: this.named };
    return this.named === undefined
      ? []
      : [{ path: EMAILS_FILE, text: `${JSON.stringify(content, undefined, 2)}\n` }];
  }
}

/** The name and the template that replace an e-mail address in the code. */
interface HiddenEmail {
  readonly name: string;
  /** A template of Terraform's language that results in the address. */
  readonly template: string;
}

/** Returns a text without the parts that look like an e-mail address. */
export const withoutAddresses = (text: string): string =>
  text.replace(/[^\s@"'`<>()]+@[^\s@"'`<>()]+/g, "(address left out)");
