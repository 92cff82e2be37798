import { ArgumentError, type RequestInfo } from "../errors";

/** The placeholders of a path template: `"/projects/:project/pages"` has `"project"`. */
type PathKey<Template extends string> = Template extends `${string}:${infer Key}/${infer Rest}`
  ? Key | PathKey<`/${Rest}`>
  : Template extends `${string}:${infer Key}`
    ? Key
    : never;

export type PathArguments<Template extends string> = Readonly<Record<PathKey<Template>, string | number>>;

/**
 * Fills a path template. Numbers must be ids (positive whole numbers), strings are percent-encoded as one
 * segment, `/` included (section "Common rules").
 *
 * @throws ArgumentError `invalid_argument` for an empty string, a lone surrogate or a number that is no id
 */
export function encodePath(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/:([a-z_]+)/gi, (_, key: string) => encodeSegment(key, values[key]));
}

function encodeSegment(key: string, value: string | number | undefined): string {
  if (typeof value === "number") {
    if (Number.isSafeInteger(value) && value > 0) return String(value);
    throw refused(key, `${value} is not an id: ids are positive whole numbers`);
  }
  // An empty segment would make another route of the path, and the request another operation.
  if (typeof value !== "string" || value === "") throw refused(key, "it is empty");
  if (!isWellFormed(value))
    throw refused(key, "it holds half of a surrogate pair, which no encoding can carry");
  // Proxies take a bare "." or ".." for a step up in the path, even though it stands for a name here.
  if (value === "." || value === "..") return value.replaceAll(".", "%2E");
  return encodeURIComponent(value);
}

// String.prototype.isWellFormed is in every supported Node, but not yet in the language level we compile to.
const isWellFormed = (value: string): boolean => !/\p{Surrogate}/u.test(value);

const refused = (key: string, why: string): ArgumentError =>
  new ArgumentError({ code: "invalid_argument", what: `the argument ${key} can't stand in a path: ${why}` });

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
 * Writes parameters as a query string, without the question mark; a form body is the same text. Arrays become
 * `name[]=value`, hashes `name[key]=value`, arrays of hashes `name[0][key]=value`; `+` becomes `%2B`, and what
 * is undefined is left out (section "Common rules").
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
    for (const [key, inner] of Object.entries(value)) appendParameter(pairs, `${name}[${key}]`, inner);
    return;
  }
  pairs.push(`${encodeText(name)}=${encodeText(plainText(value))}`);
}

function plainText(value: string | number | boolean | null | Date): string {
  if (value instanceof Date) return value.toISOString();
  return value === null ? "" : String(value);
}

// Array.isArray doesn't narrow a union that holds a readonly array.
const isList = (value: unknown): value is readonly ParameterValue[] => Array.isArray(value);

const isHash = (value: unknown): value is { readonly [key: string]: ParameterValue | undefined } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

function encodeText(text: string): string {
  if (isWellFormed(text)) return encodeURIComponent(text);
  throw new ArgumentError({
    code: "invalid_argument",
    what: "a parameter holds half of a surrogate pair, which no encoding can carry",
  });
}

/** The service answers 414 above 8 KiB of query string; what is longer is never sent. */
const MAX_TARGET_BYTES = 8 * 1024;

/** @throws ArgumentError `uri_too_long` */
export function checkTargetLength(target: string, request: RequestInfo): void {
  if (target.length <= MAX_TARGET_BYTES) return;
  throw new ArgumentError({
    code: "uri_too_long",
    request: { ...request, path: `${request.path.slice(0, 100)}…` },
    what: `the path and query are ${target.length} bytes long, and the service takes ${MAX_TARGET_BYTES}; nothing was sent`,
  });
}
