interface ResourceName {
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  /** The address of the module that declares the resource, such as `module.web["eu"]`; absent in the root module. */
  readonly module?: string;
}

/** The key of an instance: the index with `count`, or the key with `for_each`. */
interface InstanceName {
  readonly indexKey?: number | string;
}

/** Returns the address of a resource without an instance key, such as `module.web.data.acme_thing.one`. */
export function resourceAddress(resource: ResourceName): string {
  const module = resource.module === undefined ? "" : `${resource.module}.`;
  return `${module}${resource.mode === "data" ? "data." : ""}${resource.type}.${resource.name}`;
}

/**
 * Returns the address of an instance, such as `acme_thing.one["eu"]`. The address of a deposed object is the address of its
 * instance.
 */
export function instanceAddress(resource: ResourceName, instance: InstanceName): string {
  return `${resourceAddress(resource)}${keyText(instance.indexKey)}`;
}

/** Returns the name of an object: the address of its instance. The name of a deposed object also contains the deposed key. */
export const objectName = (address: string, deposed: string | undefined): string =>
  deposed === undefined ? address : `${address} (deposed object ${deposed})`;

/** Returns the address of an instance from the name of its object. The name of a deposed object also contains the deposed key. */
export const addressOfObject = (name: string): string => name.replace(/ \(deposed object [^()]*\)$/, "");

function keyText(key: string | number | undefined): string {
  if (key === undefined) return "";
  return typeof key === "number" ? `[${key}]` : `["${key.replace(NEEDS_ESCAPE, escaped)}"]`;
}

/**
 * Matches a character that Terraform escapes in a key: a quote, a backslash, the start of a template, or an invisible character.
 */
const NEEDS_ESCAPE = /["\\]|[$%](?=\{)|(?! )[\p{C}\p{Z}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  $: "$$",
  "%": "%%",
};

function escaped(character: string): string {
  const short = ESCAPES[character] ?? (/["\\]/.test(character) ? `\\${character}` : undefined);
  if (short !== undefined) return short;
  const code = character.codePointAt(0)!;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
}

const MODULE_STEP = /module\.[\p{L}_][\p{L}\p{N}_-]*(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?/uy;

/**
 * Returns the addresses of a module and of the modules around it, the outermost first; undefined if the text is not a module
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

/** A parsed address of a resource, or of one of its instances. */
export interface ResourceAddress extends ResourceName {
  /** The key of the instance; absent in the address of a resource, or of an instance without a key. */
  readonly indexKey?: string | number;
}

/** A parsed address that selects a module, a resource or one instance in a state. */
export type StateAddress = { readonly module: string; readonly type?: never } | ResourceAddress;

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;
const KEY = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`;
const MODULE = String.raw`module\.${NAME}(?:${KEY})?`;
const RESOURCE = new RegExp(
  String.raw`^(?:(${MODULE}(?:\.${MODULE})*)\.)?(data\.)?(?!data\.|module\.)(${NAME})\.(${NAME})(${KEY})?$`,
  "u",
);

/** Returns the parsed form of an address such as `module.web.data.acme_thing.one["eu"]`; undefined if the address is invalid. */
export function parseAddress(text: string): StateAddress | undefined {
  if (moduleChain(text) !== undefined) return { module: text };
  const [match, module, data, type, name, key] = RESOURCE.exec(text) ?? [];
  if (match === undefined) return undefined;
  return {
    ...(module !== undefined && { module }),
    mode: data === undefined ? "managed" : "data",
    type: type!,
    name: name!,
    ...(key !== undefined && { indexKey: parseKey(key.slice(1, -1)) }),
  };
}

const parseKey = (key: string): string | number =>
  key.startsWith('"') ? key.slice(1, -1).replace(ESCAPED, unescaped) : Number(key);

/** Matches the escapes that `instanceAddress` writes in a key. */
const ESCAPED = /\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])|([$%])\1(?=\{)/gu;
const UNESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(sequence: string): string {
  if (!sequence.startsWith("\\")) return sequence.charAt(0);
  const code = sequence.slice(2);
  if (code !== "") return String.fromCodePoint(Number.parseInt(code, 16));
  const letter = sequence.charAt(1);
  return UNESCAPED[letter] ?? letter;
}
