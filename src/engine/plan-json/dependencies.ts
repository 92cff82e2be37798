import { isJsonObject, type Json, type JsonObject } from "../../state";
import { dependenciesBetween } from "../run/dependencies";

/**
 * For each managed resource of a configuration in the format of `terraform show -json`, those that it refers to, as
 * `managedDependencies` finds them. That format has no locals, so what goes through one is not found. A resource of a module
 * is found by others of the module alone.
 */
export function dependenciesInJson(configuration: JsonObject): Map<string, readonly string[]> {
  const references = new Map<string, readonly string[]>();
  addModule(objectAt(configuration, "root_module"), "", references);
  return dependenciesBetween(
    references.keys(),
    (id) => (references.get(id) ?? []).filter((one) => references.has(one)),
    (id) => !/(?:^|\.)data\.[^.]+\.[^.]+$/.test(id),
  );
}

const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = object[name] as Json | undefined;
  return value !== undefined && isJsonObject(value) ? value : {};
};

function addModule(module: JsonObject, prefix: string, found: Map<string, readonly string[]>): void {
  const resources = (module["resources"] ?? []) as Json;
  for (const resource of Array.isArray(resources) ? resources.filter(isJsonObject) : []) {
    const texts: string[] = [];
    collect(resource, texts);
    found.set(`${prefix}${resource["address"]}`, [
      ...new Set(texts.map((text) => prefix + resourceOf(text))),
    ]);
  }
  for (const [name, call] of Object.entries(objectAt(module, "module_calls")))
    if (isJsonObject(call)) addModule(objectAt(call, "module"), `${prefix}module.${name}.`, found);
}

/** The references of all expressions, and those of `depends_on`. */
function collect(value: Json, found: string[]): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  if (!isJsonObject(value)) return;
  for (const [name, one] of Object.entries(value)) {
    const isList = (name === "references" || name === "depends_on") && Array.isArray(one);
    if (isList) found.push(...one.filter((text) => typeof text === "string"));
    else if (name !== "constant_value") collect(one, found);
  }
}

/** The resource of a reference such as `acme_thing.one["a"].id`. */
const resourceOf = (text: string): string => /^(?:data\.)?[^.[]+\.[^.[]+/.exec(text)?.[0] ?? text;
