import type { ConfiguredProvider, Provider } from "../../framework";
import { canonicalJson, type ValueObject } from "../../schema";

/**
 * Remembers what a plan asks of the provider: with each live object comes what the configuration declares of it, every
 * expression evaluated, in modules as well. No plan's JSON has that.
 */
export class DeclaredObjects {
  readonly #declared = new Map<string, ValueObject>();

  /** The provider, overheard. */
  overhear(provider: Provider): Provider {
    return {
      ...provider,
      configure: (config, run) => {
        const { provider: configured, diagnostics } = provider.configure(config, run);
        return { diagnostics, ...(configured !== undefined && { provider: this.#overhear(configured) }) };
      },
    };
  }

  /** What is declared of an object, found by its type and its live attributes. */
  of(type: string, live: ValueObject): ValueObject | undefined {
    return this.#declared.get(keyOf(type, live));
  }

  #overhear(configured: ConfiguredProvider): ConfiguredProvider {
    return {
      ...configured,
      planResource: (request) => {
        const { type, prior, config } = request;
        if (prior !== undefined) this.#declared.set(keyOf(type, prior.attributes), config);
        return configured.planResource(request);
      },
    };
  }
}

const keyOf = (type: string, attributes: ValueObject): string => `${type} ${canonicalJson(attributes)}`;
