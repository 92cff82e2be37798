import { moduleChain, type ResourceName } from "./address";

/** A parsed address of a resource or one of its instances. */
export interface ResourceAddress extends ResourceName {
  /** Absent for the resource, or its only instance. */
  readonly indexKey?: string | number;
}

/** A selection in a state: a module, a resource, or one instance. */
export type StateAddress = { readonly module: string; readonly type?: never } | ResourceAddress;

const NAME = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;
const KEY = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`;
const MODULE = String.raw`module\.${NAME}(?:${KEY})?`;
const RESOURCE = new RegExp(
  String.raw`^(?:(${MODULE}(?:\.${MODULE})*)\.)?(data\.)?(?!data\.|module\.)(${NAME})\.(${NAME})(${KEY})?$`,
  "u",
);

/** Parses an address such as `module.web.data.acme_thing.one["eu"]`; undefined if it is invalid. */
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

/** Reverts the escapes of `instanceAddress`. */
const ESCAPED = /\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])|([$%])\1(?=\{)/gu;
const SHORT: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(sequence: string): string {
  if (!sequence.startsWith("\\")) return sequence.charAt(0);
  const code = sequence.slice(2);
  if (code !== "") return String.fromCodePoint(Number.parseInt(code, 16));
  const letter = sequence.charAt(1);
  return SHORT[letter] ?? letter;
}
