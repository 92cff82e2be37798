import type { FastifyInstance, FastifyRequest } from "fastify";
import { isDeeperThan } from "../../json";
import { LARGE_STATE } from "../areas/terraform-states";
import { badRequest, HttpError } from "../http/errors";

/** A tree of form fields: texts at the leaves, records for hashes, arrays for lists. */
type FormValue = string | FormValue[] | { [key: string]: FormValue };

type Hash = { [key: string]: FormValue };

const MAX_DEPTH = 8;

/** The maximum depth of objects and lists in a JSON body. */
const JSON_DEPTH = 100;

/** The maximum number of fields of a form. */
const FORM_FIELDS = 10_000;

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

/**
 * Returns whether an element already has a value at this path. If a repeated key has a value in the current element,
 * the key starts the next element.
 */
function hasValueAt(element: FormValue, segments: readonly string[]): boolean {
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
  if (!isHash(last) || hasValueAt(last, rest)) {
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
  const isListStart = rest[0] === "";
  const child = hash[key] ?? (isListStart ? [] : emptyHash());
  hash[key] = child;
  if (isListStart && Array.isArray(child)) putIntoList(child, rest.slice(1), text, name);
  else if (!isListStart && isHash(child)) put(child, rest, text, name);
  else throw badRequest(`${name} is invalid`);
}

/**
 * Reads query strings and form bodies: `name=`, `name[]=`, `name[key]=`, `name[0][key]=` and `name[][key]=`. Numbered elements
 * become a hash with numbers as keys, because only the schema knows which parameters are lists.
 */
function decodeFields(fields: Iterable<readonly [string, string]>): Hash {
  const root = emptyHash();
  for (const [name, text] of fields) {
    const segments = segmentsOf(name);
    if (segments.length > MAX_DEPTH) throw badRequest(`${name} is invalid`);
    put(root, segments, text, name);
  }
  return root;
}

/** Decodes `a=1&b[]=2`, where `+` is a space. */
export const decodeForm = (text: string): Hash => decodeFields(new URLSearchParams(text));

type Parameters = Record<string, unknown>;

/** The original JSON text of each parsed object. */
const texts = new WeakMap<object, string>();

/** Returns the text of a JSON body; empty for any other body. */
export const textOf = (body: unknown): string =>
  (typeof body === "object" && body !== null ? texts.get(body) : undefined) ?? "";

/** Returns whether the body of a request is a Terraform state. A state is stored as text, so its depth needs no limit. */
const isState = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as { hasStateBody?: boolean }).hasStateBody === true;

function readJson(request: FastifyRequest, text: string): Parameters {
  if (text.trim() === "") return {};
  if (!isState(request) && isDeeperThan(text, JSON_DEPTH)) {
    throw badRequest(`The body is nested deeper than ${JSON_DEPTH} levels`);
  }
  let value: unknown;
  try {
    // The parsed objects of a large state would take many times its size, so SQLite validates the text instead.
    value = isState(request) && text.length > LARGE_STATE ? {} : JSON.parse(text);
  } catch {
    throw badRequest("The body is not valid JSON");
  }
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw badRequest("The body must be a JSON object");
  }
  texts.set(value, text);
  return value as Parameters;
}

function readForm(text: string): Parameters {
  let fields = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) fields += 1;
  if (fields > FORM_FIELDS) throw badRequest(`The body has more than ${FORM_FIELDS} fields`);
  return decodeForm(text);
}

/** Reads the fields of a `multipart/form-data` body with the `Response` of Node. */
async function readMultipart(body: Buffer, contentType: string): Promise<Parameters> {
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": contentType },
    }).formData();
    return decodeFields([...form].filter((field): field is [string, string] => typeof field[1] === "string"));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw badRequest("The body is not valid multipart/form-data");
  }
}

/**
 * Parses JSON, form and multipart bodies into one object of parameters. An empty body of any content type has no parameters,
 * because some clients send a content type with every request.
 */
export function addBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  const add = (
    type: string | RegExp,
    read: (body: Buffer, contentType: string, request: FastifyRequest) => unknown,
  ) => {
    server.addContentTypeParser<Buffer>(
      type,
      { parseAs: "buffer" },
      async (request: FastifyRequest, body: Buffer) =>
        body.length === 0 ? {} : read(body, request.headers["content-type"] ?? "", request),
    );
  };
  add(/^application\/([\w.-]+\+)?json\b/i, (body, _type, request) =>
    readJson(request, body.toString("utf8")),
  );
  add(/^application\/x-www-form-urlencoded\b/i, (body) => readForm(body.toString("utf8")));
  add(/^multipart\/form-data\b/i, readMultipart);
  add("*", (_body, type) => {
    throw new HttpError(415, {
      error:
        type === ""
          ? "The body has no content-type; application/json and form fields are supported."
          : `The provided content-type '${type}' is not supported.`,
    });
  });
}
