import type { Attributes, ValueObject } from "../../schema";
import { SensitiveTexts } from "../../text";

/** The sensitive values that providers were configured with, to be taken out of whatever is written. */
export class Secrets {
  readonly #known = new SensitiveTexts();
  readonly #also: (text: string) => string;

  /** `also` takes out what is known from elsewhere, such as the environment. */
  constructor(also: (text: string) => string = (text) => text) {
    this.#also = also;
  }

  learn(attributes: Attributes, config: ValueObject): void {
    for (const [name, { text }] of Object.entries(attributes))
      if (text.sensitive && typeof config[name] === "string") this.#known.add(config[name]);
  }

  redact(text: string): string {
    return this.#known.redactText(this.#also(text));
  }
}
