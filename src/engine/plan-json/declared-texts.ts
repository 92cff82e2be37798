import { canonicalJson, type Value } from "../../schema";
import { isJsonObject, type Json, type JsonObject } from "../../state";
import { withoutKeys } from "../declarations/address-keys";
import { configurationsOf, objectAt, resourcesInJson } from "./dependencies";
import type { PlanPart } from "./plan-part";

// For an expression in HCL, the format of `terraform show -json` contains only references. `var.host` and `"evil.${var.host}"`
// are therefore equal, as are all calls of functions. For a configuration in JSON, the format also contains the text of an
// expression. Neither form of the format contains locals.
// https://developer.hashicorp.com/terraform/internals/json-format#expression-representation

/**
 * The provider whose objects an approval compares, and the two settings with the address of its service: an attribute and an
 * environment variable.
 */
export interface AddressedProvider {
  readonly source: string;
  /** The name of the attribute that contains the address, in the configurations of the provider. */
  readonly attribute: string;
  /** The environment variable that provides the address if a configuration has no such attribute. */
  readonly variable: string;
}

/** Matches the start of a template in a text. */
const TEMPLATE = /[$%]\{/;

/**
 * Returns the constant value of an expression. Undefined if there is no expression, and null if the plan contains only the
 * references of the expression.
 */
function textOf(expression: Json | undefined): Json | undefined {
  if (expression === undefined) return undefined;
  if (!isJsonObject(expression) || !Object.hasOwn(expression, "constant_value")) return null;
  return expression["constant_value"] ?? undefined;
}

/** Finds the declared address of the service for each configuration of a provider. */
class Addresses {
  readonly #variables: JsonObject;
  readonly #providers: ReadonlyMap<string, JsonObject>;

  constructor(
    json: JsonObject,
    readonly provider: AddressedProvider,
  ) {
    this.#variables = objectAt(json, "variables");
    this.#providers = configurationsOf(objectAt(json, "configuration"), provider.source);
  }

  /**
   * The addresses with the keys of their configurations. An address is undefined if the configuration declares none,
   * and null if the plan does not contain the address.
   */
  get all(): readonly (readonly [key: string, address: string | null | undefined])[] {
    return [...this.#providers.keys()].map((key) => [key, this.of(key)]);
  }

  of(key: string): string | null | undefined {
    const text = textOf(objectAt(this.#providers.get(key) ?? {}, "expressions")[this.provider.attribute]);
    if (text === undefined) return undefined;
    if (typeof text !== "string") return null;
    if (!TEMPLATE.test(text)) return text;
    const [, name] = /^\$\{var\.([\w-]+)\}$/.exec(text) ?? [];
    const value = name === undefined ? undefined : objectAt(this.#variables, name)["value"];
    return typeof value === "string" && !isOfModule(key) ? `${value} (var.${name})` : null;
  }
}

const isOfModule = (address: string): boolean => address.startsWith("module.");

/** Returns the declared addresses of services as parts of the plan. */
export const declaredAddresses = (json: JsonObject, provider: AddressedProvider): PlanPart[] =>
  new Addresses(json, provider).all.flatMap(([key, value]) =>
    value ? [{ name: `address of provider ${key}`, value, shown: value }] : [],
  );

/** Returns messages about provider configurations whose address the plan does not contain. */
export const unreadableAddresses = (json: JsonObject, provider: AddressedProvider): string[] =>
  new Addresses(json, provider).all
    .filter(([, address]) => address === null)
    .map(
      ([key]) =>
        `provider ${key}: the plan does not contain the value of ${provider.attribute}. Write the address, or set ${provider.variable}`,
    );

/**
 * A provisioner as a part of the plan, and the names of the provisioner's attributes whose values the plan does not
 * contain.
 */
interface Provisioner {
  readonly part: PlanPart;
  readonly unreadable: readonly string[];
}

/** Returns the provisioners of all declarations. */
export const provisionersOf = (configuration: JsonObject): Provisioner[] =>
  [...resourcesInJson(configuration)].flatMap(({ address, resource }) =>
    provisionersIn(resource).map((value, at) => {
      const all = Object.entries(objectAt(value, "expressions"));
      const unreadable = all.filter(([, one]) => !isReadable(one, address)).map(([name]) => name);
      const texts = Object.fromEntries(all.map(([name, one]) => [name, textOf(one) ?? null]));
      const name = `provisioner ${at + 1} (${value["type"]}) of ${address}`;
      return { part: { name, value, shown: canonicalJson(texts as Value) }, unreadable };
    }),
  );

/** Returns messages that explain why provisioners can't be approved. */
export const unreadableProvisioners = (configuration: JsonObject): string[] =>
  provisionersOf(configuration).flatMap(({ part, unreadable }) =>
    unreadable.map(
      (name) => `${part.name}: the plan does not contain the value of ${name}. Write it without expressions`,
    ),
  );

/**
 * Returns true if the plan contains the expression, and if the expression refers only to values that an approval also compares.
 */
function isReadable(expression: Json, address: string): boolean {
  if (textOf(expression) === null) return false;
  const { references = [] } = expression as JsonObject;
  const known = isOfModule(address) ? /^(?:path|self)\b/ : /^(?:path|self|var)\b/;
  return [references].flat().every((one) => known.test(String(one)));
}

function provisionersIn(resource: JsonObject): readonly JsonObject[] {
  const list = resource["provisioners"] as Json | undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/**
 * Creates a function that finds the declared service of an object of the provider.
 *
 * @returns a function that converts the address of an object to the declared address of its service. The result is null if the
 * plan does not show the declared address, and undefined if the environment sets this address.
 */
export function declaredService(json: JsonObject, provider: AddressedProvider) {
  const addresses = new Addresses(json, provider);
  const [first, ...others] = new Set(addresses.all.map(([, address]) => address));
  const keys = new Map(
    [...resourcesInJson(objectAt(json, "configuration"))].map(({ address, resource }) => [
      address,
      String(resource["provider_config_key"]),
    ]),
  );
  return (address: string): string | null | undefined => {
    const key = keys.get(withoutKeys(address));
    if (key !== undefined) return addresses.of(key);
    // The provider configuration of an undeclared object is not known. If all configurations have one address, that address is
    // the result.
    return others.length > 0 ? null : first;
  };
}
