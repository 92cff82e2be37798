import { type Configuration, type HostFunctions, providerFunction } from "../../language";
import { providerKeys } from "./declarations";
import type { Providers } from "./providers";

type Definition = NonNullable<ReturnType<HostFunctions["find"]>>;

const NAME = /^provider::([^:]+)::([^:]+)$/;

/** The functions of the run's providers, as `provider::LOCAL_NAME::FUNCTION`. */
export class ProviderFunctions implements HostFunctions {
  readonly #localNames: ReadonlySet<string>;
  readonly #providers: Providers;
  readonly #found = new Map<string, Definition | undefined>();

  constructor(configuration: Configuration, providers: Providers) {
    const keys = [...providerKeys(configuration)].map((key) => key.split(".")[0]!);
    this.#localNames = new Set([...configuration.requiredProviders.keys(), ...keys]);
    this.#providers = providers;
  }

  find(name: string): Definition | undefined {
    if (!this.#found.has(name)) this.#found.set(name, this.#define(name));
    return this.#found.get(name);
  }

  #define(fullName: string): Definition | undefined {
    const [, localName = "", name = ""] = NAME.exec(fullName) ?? [];
    const provider = this.#localNames.has(localName) ? this.#providers.find(localName) : undefined;
    const functions = provider?.schema.functions ?? {};
    if (provider === undefined || !Object.hasOwn(functions, name)) return undefined;
    return providerFunction(functions[name]!, (args) => provider.callFunction!(name, args));
  }

  isOtherProvider(localName: string): boolean {
    const isDeclared = localName === "terraform" || this.#localNames.has(localName);
    return isDeclared && this.#providers.find(localName)?.schema.functions === undefined;
  }

  *names(): Iterable<string> {
    for (const localName of this.#localNames)
      for (const name of Object.keys(this.#providers.find(localName)?.schema.functions ?? {}))
        yield `provider::${localName}::${name}`;
  }
}
