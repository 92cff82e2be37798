import { badRequest } from "../http/errors";

/** A tree of form fields: texts at the leaves, records for hashes, arrays for lists. */
type FormValue = string | FormValue[] | { [key: string]: FormValue };

type Hash = { [key: string]: FormValue };

const MAX_DEPTH = 8;

const emptyHash = (): Hash => Object.create(null) as Hash;
const isHash = (value: FormValue | undefined): value is Hash =>
  typeof value === "object" && !Array.isArray(value);

/** Splits `name[0][key]` into `name`, `0` and `key`; any other name is one segment. */
function segmentsOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match === null) return [name];
  const rest = match[2] === undefined || match[2] === "" ? [] : match[2].slice(1, -1).split("][");
  return [match[1]!, ...rest];
}

function conflict(name: string): never {
  throw badRequest(`${name} is invalid`);
}

/** Whether an element already has a value at this path: a repeated key starts the next element. */
function holds(element: FormValue, segments: readonly string[]): boolean {
  let value: FormValue | undefined = element;
  for (const segment of segments) {
    if (segment === "") return false;
    if (!isHash(value)) return value !== undefined;
    value = value[segment];
  }
  return value !== undefined;
}

function putIntoList(list: FormValue[], rest: readonly string[], text: string, name: string): void {
  if (rest.length === 0) {
    list.push(text);
    return;
  }
  let last = list.at(-1);
  if (!isHash(last) || holds(last, rest)) {
    last = emptyHash();
    list.push(last);
  }
  put(last, rest, text, name);
}

function put(hash: Hash, [segment, ...rest]: readonly string[], text: string, name: string): void {
  const key = segment!;
  if (rest.length === 0) {
    hash[key] = text;
    return;
  }
  const opensList = rest[0] === "";
  const child = hash[key] ?? (opensList ? [] : emptyHash());
  hash[key] = child;
  if (opensList && Array.isArray(child)) putIntoList(child, rest.slice(1), text, name);
  else if (!opensList && isHash(child)) put(child, rest, text, name);
  else conflict(name);
}

/**
 * Reads query strings and form bodies: `name=`, `name[]=`, `name[key]=`, `name[0][key]=` and `name[][key]=`.
 * Numbered elements come as a hash with numbers for keys: only the schema knows that a list was meant.
 */
export function decodeFields(fields: Iterable<readonly [string, string]>): Hash {
  const root = emptyHash();
  for (const [name, text] of fields) {
    const segments = segmentsOf(name);
    if (segments.length > MAX_DEPTH) conflict(name);
    put(root, segments, text, name);
  }
  return root;
}

/** Decodes `a=1&b[]=2`, where `+` is a space. */
export const decodeForm = (text: string): Hash => decodeFields(new URLSearchParams(text));
