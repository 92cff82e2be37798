import { type Diagnostic, didYouMean, error, type Hint, hintFor } from "../../diagnostics";
import type { Provider } from "../../framework";
import {
  type Configuration,
  type HostFunctions,
  isAllowedVersion,
  locate,
  providerFunction,
  type ResourceDeclaration,
} from "../../language";
import { once, type ResourceSchema } from "../../schema";
import { withBuiltin } from "./builtin-provider";
import type { LocalState } from "./context";

const NONE: readonly Diagnostic[] = [];

/** A type of resources or data sources, and the key of its provider configuration. */
export type OfType = Pick<ResourceDeclaration, "mode" | "type" | "provider">;

/** The type of a declaration, with its address and construct for messages. */
type DeclaredType = OfType & Pick<ResourceDeclaration, "address" | "construct">;

/** The providers that a configuration requires and configures. */
type RequiredProviders = Pick<
  Configuration,
  "folder" | "requiredProviders" | "providerVersions" | "providers"
>;

/** The providers of a run, by configuration key. */
export class Providers {
  readonly #all: Readonly<Record<string, Provider>>;
  /** The last result of `schema`. The last result is cached, because thousands of declarations of one type follow each other. */
  #last: (OfType & { readonly schema: ResourceSchema }) | undefined;
  /**
   * The source addresses by configuration key. The addresses are cached, because every resource needs the source of its
   * provider.
   */
  readonly #sources = new Map<string, string>();

  /** @param given the providers by source address, without the built-in provider */
  constructor(
    private readonly required: RequiredProviders,
    private readonly given: Readonly<Record<string, Provider>>,
    localStates?: () => readonly LocalState[],
  ) {
    this.#all = withBuiltin(given, required.folder, localStates);
  }

  /**
   * Returns the source address of a provider. `key` is the key of a provider configuration, such as `steward` or `steward.eu`.
   */
  source(key: string): string {
    return once(this.#sources, key, () => {
      const name = key.split(".")[0]!;
      const known = Object.keys(this.#all).find((source) => source.endsWith(`/${name}`));
      return this.required.requiredProviders.get(name) ?? known ?? name;
    });
  }

  /** Returns whether the run has the provider of a source address. */
  hasSource(source: string): boolean {
    return Object.hasOwn(this.#all, source);
  }

  /** Returns the provider of a provider configuration; undefined if the run does not have this provider. */
  find(key: string): Provider | undefined {
    return this.#all[this.source(key)];
  }

  /** Returns the schema of a declaration's type. `check` must have accepted the type before. */
  schema(mode: OfType["mode"], type: string, provider: string): ResourceSchema {
    const last = this.#last;
    if (last?.type === type && last.provider === provider && last.mode === mode) return last.schema;
    const { resources, dataSources } = this.find(provider)!.schema;
    const schema = (mode === "managed" ? resources : dataSources)[type]!;
    this.#last = { mode, type, provider, schema };
    return schema;
  }

  /** Reports unknown types, and version constraints that the providers of this run do not meet. */
  check(declared: Iterable<DeclaredType>): Diagnostic[] {
    const { providerVersions, requiredProviders } = this.required;
    const found = [...providerVersions].flatMap(([name, constraint]) => {
      const source = requiredProviders.get(name)!;
      const version = this.given[source]?.version;
      if (version === undefined || isAllowedVersion(version, constraint)) return [];
      const detail =
        `required_providers requires ${source} ${JSON.stringify(constraint)}, but this is version ${version}. Install a ` +
        "matching version, or change the constraint.";
      return [error({ code: "provider_version_unmet", summary: "Provider version does not match", detail })];
    });
    for (const { mode, type, provider, address, construct } of declared) {
      const last = this.#last;
      if (last?.type === type && last.provider === provider && last.mode === mode) continue;
      found.push(...this.#checkType({ mode, type, provider, address, construct }));
    }
    return found;
  }

  /** Checks that the provider has the type of a declaration. */
  #checkType(declaration: DeclaredType): readonly Diagnostic[] {
    const { mode, type } = declaration;
    const provider = this.find(declaration.provider);
    if (provider === undefined) return [{ ...this.unknown(declaration.provider), ...locate(declaration) }];
    if (declaration.provider.includes(".") && !this.required.providers.has(declaration.provider))
      return [noSuchAlias(declaration, this.required.providers.keys())];
    const { resources, dataSources } = provider.schema;
    const types = declaration.mode === "managed" ? resources : dataSources;
    if (declaration.type in types) {
      this.schema(mode, type, declaration.provider);
      return NONE;
    }
    const kind = declaration.mode === "managed" ? "resource" : "data source";
    const { hint, action } = hintFor(declaration.type, Object.keys(types), LIST_TYPES);
    return [
      error({
        code: "unknown_type",
        summary: `Unknown ${kind}`,
        detail: `The provider ${provider.schema.source} has no ${kind} "${declaration.type}". ${hint}`,
        ...(action !== undefined && { action }),
        ...locate(declaration),
      }),
    ];
  }

  /** Returns the error for a provider that is not part of the run. */
  unknown(key: string): Diagnostic {
    return error({
      code: "unknown_provider",
      summary: "Unknown provider",
      detail: `The embedded engine does not contain the provider ${this.source(key)}. It contains ${Object.keys(this.given).join(", ")}. If you mean one of these, set it as the source in required_providers. Otherwise run Terraform with this command.`,
      action: { kind: "other", program: "terraform plan" },
    });
  }
}

const LIST_TYPES: Hint = { hint: "List all types with this command.", action: { kind: "types" } };

function noSuchAlias(declaration: DeclaredType, keys: Iterable<string>): Diagnostic {
  const hint = didYouMean(declaration.provider, keys, "Declare it, with its alias.");
  return error({
    code: "unknown_provider",
    summary: "Unknown provider configuration",
    detail: `There is no provider configuration "${declaration.provider}". ${hint}`,
    ...locate(declaration, ["provider"]),
  });
}

type Definition = NonNullable<ReturnType<HostFunctions["find"]>>;

const NAME = /^provider::([^:]+)::([^:]+)$/;

/** Finds the functions of the run's providers by names such as `provider::LOCAL_NAME::FUNCTION`. */
export class ProviderFunctions implements HostFunctions {
  readonly #localNames: ReadonlySet<string>;
  readonly #found = new Map<string, Definition | undefined>();

  /** @param keys the keys of all provider configurations, and the names of required providers */
  constructor(
    keys: Iterable<string>,
    private readonly providers: Providers,
  ) {
    this.#localNames = new Set([...keys].map((key) => key.split(".")[0]!));
  }

  find(name: string): Definition | undefined {
    if (!this.#found.has(name)) this.#found.set(name, this.#define(name));
    return this.#found.get(name);
  }

  #define(fullName: string): Definition | undefined {
    const [, localName = "", name = ""] = NAME.exec(fullName) ?? [];
    const provider = this.#localNames.has(localName) ? this.providers.find(localName) : undefined;
    const functions = provider?.schema.functions ?? {};
    if (provider === undefined || !Object.hasOwn(functions, name)) return undefined;
    return providerFunction(functions[name]!, (args) => provider.callFunction!(name, args));
  }

  isOtherProvider(localName: string): boolean {
    const isDeclared = localName === "terraform" || this.#localNames.has(localName);
    return isDeclared && this.providers.find(localName)?.schema.functions === undefined;
  }

  *names(): Iterable<string> {
    for (const localName of this.#localNames)
      for (const name of Object.keys(this.providers.find(localName)?.schema.functions ?? {}))
        yield `provider::${localName}::${name}`;
  }
}
