import type { Attributes, ValueObject } from "../../provider/schema";

/** Shorter values would black out ordinary words. */
const SHORTEST_SECRET = 8;

/** The sensitive values that providers were configured with, to be taken out of whatever is written. */
export class Secrets {
  readonly #known = new Set<string>();
  readonly #also: (text: string) => string;

  /** `also` takes out what is known from elsewhere, such as the environment. */
  constructor(also: (text: string) => string = (text) => text) {
    this.#also = also;
  }

  learn(attributes: Attributes, config: ValueObject): void {
    for (const [name, { text }] of Object.entries(attributes)) {
      const value = config[name];
      if (text.sensitive && typeof value === "string" && value.length >= SHORTEST_SECRET)
        this.#known.add(value);
    }
  }

  redact(text: string): string {
    let result = this.#also(text);
    for (const secret of this.#known) result = result.replaceAll(secret, "(sensitive value)");
    return result;
  }
}
