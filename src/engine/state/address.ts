import type { InstanceState, ResourceState, State } from "./model";

type Named = Pick<ResourceState, "mode" | "type" | "name" | "module">;

/** Address of a resource without keys of its own: `module.web.data.acme_thing.one`. */
export function resourceAddress(resource: Named): string {
  const module = resource.module === undefined ? "" : `${resource.module}.`;
  return `${module}${resource.mode === "data" ? "data." : ""}${resource.type}.${resource.name}`;
}

/** Address of an instance: `acme_thing.one["eu"]`. A deposed object has the address of its instance. */
export function instanceAddress(resource: Named, instance: Pick<InstanceState, "indexKey">): string {
  return `${resourceAddress(resource)}${keyText(instance.indexKey)}`;
}

/** What an object is called: a deposed one has the address of its instance, and a key. */
export const objectName = (address: string, deposed: string | undefined): string =>
  deposed === undefined ? address : `${address} (deposed object ${deposed})`;

function keyText(key: string | number | undefined): string {
  if (key === undefined) return "";
  return typeof key === "number" ? `[${key}]` : `["${key.replace(NEEDS_ESCAPE, escaped)}"]`;
}

/** What Terraform escapes in a key: quotes, backslashes, the beginnings of templates, and what can't be seen. */
const NEEDS_ESCAPE = /["\\]|[$%](?=\{)|(?! )[\p{C}\p{Z}]/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", $: "$$", "%": "%%" };

function escaped(character: string): string {
  const short = SHORT[character] ?? (/["\\]/.test(character) ? `\\${character}` : undefined);
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** An instance together with the resource that it belongs to. */
export interface FoundInstance {
  readonly resource: ResourceState;
  readonly instance: InstanceState;
}

/** Every current instance by its address, to look many up. Deposed objects are left out. */
export function instancesByAddress(state: State): Map<string, FoundInstance> {
  const found = new Map<string, FoundInstance>();
  for (const resource of state.resources) {
    for (const instance of resource.instances) {
      if (instance.deposed === undefined)
        found.set(instanceAddress(resource, instance), { resource, instance });
    }
  }
  return found;
}

/** One resource by its address, without keys of its own. */
export function findResource(state: State, address: string): ResourceState | undefined {
  return state.resources.find((resource) => resourceAddress(resource) === address);
}

/** One current instance by its address. */
export function findInstance(state: State, address: string): FoundInstance | undefined {
  for (const resource of state.resources) {
    if (!address.startsWith(resourceAddress(resource))) continue;
    const instance = resource.instances.find(
      (one) => one.deposed === undefined && instanceAddress(resource, one) === address,
    );
    if (instance !== undefined) return { resource, instance };
  }
  return undefined;
}

const MODULE_STEP = /module\.[\p{L}_][\p{L}\p{N}_-]*(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?/uy;

/** The addresses of a module and of those around it, the outermost first; undefined when the text is no module's address. */
export function moduleChain(address: string): string[] | undefined {
  const chain: string[] = [];
  let position = 0;
  for (;;) {
    MODULE_STEP.lastIndex = position;
    if (!MODULE_STEP.test(address)) return undefined;
    position = MODULE_STEP.lastIndex;
    chain.push(address.slice(0, position));
    if (position === address.length) return chain;
    if (address[position] !== ".") return undefined;
    position += 1;
  }
}
