import type { Attributes, ValueObject } from "../../schema";
import { SensitiveTexts } from "../../text";

/** The sensitive values of provider configurations, to be redacted in all output. */
export class Secrets {
  readonly #known = new SensitiveTexts();
  readonly #also: (text: string) => string;

  /** `also` redacts secrets from other sources, such as the environment. */
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
