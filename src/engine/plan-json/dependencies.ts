import { isJsonObject, type Json, type JsonObject } from "../../state";
import { dependenciesBetween } from "../declarations/graph";

/**
 * For a configuration in the format of `terraform show -json`, returns the managed resources to which each managed resource
 * refers. The result is like the result of `managedDependencies`. This format has no locals, so references through a local are
 * not found. References between modules are not found either.
 */
export function dependenciesInJson(configuration: JsonObject): Map<string, readonly string[]> {
  const references = new Map<string, readonly string[]>();
  for (const { address, prefix, resource } of resourcesInJson(configuration)) {
    const texts: string[] = [];
    collect(resource, texts);
    references.set(address, [...new Set(texts.map((text) => prefix + resourceOf(text)))]);
  }
  return dependenciesBetween(
    references.keys(),
    (id) => (references.get(id) ?? []).filter((one) => references.has(one)),
    (id) => !/(?:^|\.)data\.[^.]+\.[^.]+$/.test(id),
  );
}

/** A resource of a configuration in the format of `terraform show -json`. */
interface ResourceInJson {
  /** The address without instance keys, such as `module.web.acme_thing.one`. */
  readonly address: string;
  /** The module's part at the start of the address. The part ends with a dot, or is empty for the root module. */
  readonly prefix: string;
  readonly resource: JsonObject;
}

/** Yields the resources of all modules. */
export function* resourcesInJson(configuration: JsonObject): Iterable<ResourceInJson> {
  yield* resourcesOfModule(objectAt(configuration, "root_module"), "");
}

function* resourcesOfModule(module: JsonObject, prefix: string): Iterable<ResourceInJson> {
  for (const resource of objectsAt(module, "resources"))
    yield { address: `${prefix}${resource["address"]}`, prefix, resource };
  for (const [name, call] of Object.entries(objectAt(module, "module_calls")))
    if (isJsonObject(call)) yield* resourcesOfModule(objectAt(call, "module"), `${prefix}module.${name}.`);
}

/** Returns the resources of all modules in a state that has the format of `terraform show -json`. */
export const resourcesInState = (state: JsonObject | undefined): readonly JsonObject[] =>
  resourcesBelow(objectAt(objectAt(state ?? {}, "values"), "root_module"));

const resourcesBelow = (module: JsonObject): readonly JsonObject[] => [
  ...objectsAt(module, "resources"),
  ...objectsAt(module, "child_modules").flatMap(resourcesBelow),
];

/** Returns the configurations of a provider, by their keys. */
export const configurationsOf = (configuration: JsonObject, source: string): Map<string, JsonObject> => {
  const all = objectAt(configuration, "provider_config");
  const named = Object.keys(all).map((key) => [key, objectAt(all, key)] as const);
  return new Map(named.filter(([, one]) => one["full_name"] === source));
};

/** Returns the object in a property; an empty object if the property has no object. */
export const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = object[name] as Json | undefined;
  return value !== undefined && isJsonObject(value) ? value : {};
};

const objectsAt = (object: JsonObject, name: string): readonly JsonObject[] => {
  const list = object[name] as Json | undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

/** Collects the references of all expressions and of `depends_on`. */
function collect(value: Json, found: string[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  if (!isJsonObject(value)) return;
  for (const [name, one] of Object.entries(value)) {
    const isList = (name === "references" || name === "depends_on") && Array.isArray(one);
    if (isList) found.push(...one.filter((text) => typeof text === "string"));
    else if (name !== "constant_value") collect(one, found);
  }
}

/** Returns the address of the resource in a reference, such as `acme_thing.one` for `acme_thing.one["a"].id`. */
const resourceOf = (text: string): string => /^(?:data\.)?[^.[]+\.[^.[]+/.exec(text)?.[0] ?? text;
