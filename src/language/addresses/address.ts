/** The name of a resource. */
export interface ResourceName {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  /** Address of the module that declares it, such as `module.web["eu"]`; absent in the root module. */
  readonly module?: string;
}

/** The instance of a resource: the index with `count`, or the key with `for_each`. */
interface InstanceName {
  readonly indexKey?: number | string;
}

/** Address of a resource without instance key: `module.web.data.acme_thing.one`. */
export function resourceAddress(resource: ResourceName): string {
  const module = resource.module === undefined ? "" : `${resource.module}.`;
  return `${module}${resource.mode === "data" ? "data." : ""}${resource.type}.${resource.name}`;
}

/** Address of an instance: `acme_thing.one["eu"]`. A deposed object has the address of its instance. */
export function instanceAddress(resource: ResourceName, instance: InstanceName): string {
  return `${resourceAddress(resource)}${keyText(instance.indexKey)}`;
}

/** The name of an object: a deposed one has the address of its instance, and a key. */
export const objectName = (address: string, deposed: string | undefined): string =>
  deposed === undefined ? address : `${address} (deposed object ${deposed})`;

/** The address of an object's instance, from the object's name. */
export const addressOfObject = (name: string): string => name.replace(/ \(deposed object [^()]*\)$/, "");

function keyText(key: string | number | undefined): string {
  if (key === undefined) return "";
  return typeof key === "number" ? `[${key}]` : `["${key.replace(NEEDS_ESCAPE, escaped)}"]`;
}

/** Terraform escapes quotes, backslashes, template openings and invisible characters in a key. */
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

const MODULE_STEP = /module\.[\p{L}_][\p{L}\p{N}_-]*(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?/uy;

/**
 * The addresses of a module and of its ancestors, the outermost first; undefined if the text is no module
 * address.
 */
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
