import type { FastifyInstance, FastifyRequest } from "fastify";
import { isDeeperThan } from "../../json";
import { badRequest, HttpError } from "../http/errors";
import { LARGE_STATE } from "../model/terraform-states";
import { decodeFields, decodeForm } from "./form";
import { FORM_FIELDS, JSON_DEPTH } from "./limits";

type Parameters = Record<string, unknown>;

/** The original JSON text by the object parsed from it. */
const texts = new WeakMap<object, string>();

/** The text of a JSON body; empty for any other body. */
export const textOf = (body: unknown): string =>
  (typeof body === "object" && body !== null ? texts.get(body) : undefined) ?? "";

/** A state is stored as text, so its depth needs no limit. */
const isState = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as { receivesState?: boolean }).receivesState === true;

function readJson(request: FastifyRequest, text: string): Parameters {
  if (text.trim() === "") return {};
  if (!isState(request) && isDeeperThan(text, JSON_DEPTH)) {
    throw badRequest(`The body is nested deeper than ${JSON_DEPTH} levels`);
  }
  let value: unknown;
  try {
    // Parsed objects take many times the size of a large state, so SQLite validates its text instead.
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

/** Fields of `multipart/form-data`, read by the platform's own `Response`. */
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
 * Parses JSON, form and multipart bodies into one object of parameters. An empty body has no parameters, whatever its
 * content type: clients send that header with every request.
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
