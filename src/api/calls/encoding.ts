import { ArgumentError, type RequestInfo } from "../errors";

/**
 * Fills the placeholders of a path template. A number must be an id (a positive integer). A string is percent-encoded
 * as one segment, including `/` (specification, "Common rules").
 *
 * @throws ArgumentError `invalid_argument` for an empty string, a lone surrogate, or a number that is not an id
 */
export function encodePath(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(PLACEHOLDER, (_, key: string) => encodeSegment(key, values[key]));
}

const PLACEHOLDER = /:([a-z_]+)/gi;

/** Returns the placeholders of a path template, in order. */
export const pathKeys = (template: string): readonly string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, key]) => key!);

function encodeSegment(key: string, value: string | number | undefined): string {
  if (typeof value === "number") {
    if (Number.isSafeInteger(value) && value > 0) return String(value);
    throw refused(key, `${value} is not an id: ids are positive integers`);
  }
  // A path with an empty segment would match another route, and therefore another operation.
  if (typeof value !== "string" || value === "") throw refused(key, "it is empty");
  if (!isWellFormed(value)) throw refused(key, "it contains a lone surrogate, which can't be encoded");
  // If a name is "." or "..", its dots are encoded, because proxies would resolve such a segment.
  if (value === "." || value === "..") return value.replaceAll(".", "%2E");
  return encodeURIComponent(value);
}

// This function replaces String.prototype.isWellFormed, which every supported Node.js has, but which the types of
// the compile target do not contain.
const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value);

const refused = (key: string, why: string): ArgumentError =>
  new ArgumentError({
    code: "invalid_argument",
    what: `the argument ${key} can't be used in a path: ${why}`,
  });

type ParameterValue =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly ParameterValue[]
  | { readonly [key: string]: ParameterValue | undefined };

export type Parameters = Readonly<Record<string, ParameterValue | undefined>>;

/**
 * Encodes parameters as a query string without the question mark, or as a form body. Arrays become `name[]=value`,
 * hashes `name[key]=value`, arrays of hashes `name[0][key]=value`; `+` becomes `%2B`; undefined values are omitted
 * (specification, "Common rules").
 */
export function encodeParameters(parameters: Parameters): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(parameters)) appendParameter(pairs, name, value);
  return pairs.join("&");
}

function appendParameter(pairs: string[], name: string, value: ParameterValue | undefined): void {
  if (value === undefined) return;
  if (isList(value)) {
    value.forEach((element, index) => {
      appendParameter(pairs, isHash(element) ? `${name}[${index}]` : `${name}[]`, element);
    });
    return;
  }
  if (isHash(value)) {
    for (const [key, index] of Object.entries(value)) appendParameter(pairs, `${name}[${key}]`, index);
    return;
  }
  pairs.push(`${encodeText(name)}=${encodeText(scalarText(value))}`);
}

function scalarText(value: string | number | boolean | null | Date): string {
  if (value instanceof Date) return value.toISOString();
  return value === null ? "" : String(value);
}

// This type guard is needed because Array.isArray doesn't narrow a union that contains a readonly array.
const isList = (value: unknown): value is readonly ParameterValue[] => Array.isArray(value);

const isHash = (value: unknown): value is { readonly [key: string]: ParameterValue | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

function encodeText(text: string): string {
  if (isWellFormed(text)) return encodeURIComponent(text);
  throw new ArgumentError({
    code: "invalid_argument",
    what: "a parameter contains a lone surrogate, which can't be encoded",
  });
}

/**
 * The maximum length of a path with its query, in bytes. The client refuses a longer path, because the service
 * responds 414 to more than 8 KiB.
 */
const MAX_TARGET_BYTES = 8 * 1024;

/** @throws ArgumentError `uri_too_long` */
export function checkTargetLength(target: string, request: RequestInfo): void {
  if (target.length <= MAX_TARGET_BYTES) return;
  throw new ArgumentError({
    code: "uri_too_long",
    request: { ...request, path: `${request.path.slice(0, 100)}…` },
    what:
      `the path and query are ${target.length} bytes long, more than the ${MAX_TARGET_BYTES} ` +
      "that the service accepts; nothing was sent",
  });
}
