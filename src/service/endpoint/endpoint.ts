import { z } from "zod";
import { requireScope } from "../access/caller";
import { parameterReader } from "../http/parameters";
import type { Choice } from "../settings/settings";
import type { Selection } from "../store/selection";
import type { AccessRule, IncomingRequest } from "./authorization";
import { type KeysetRule, keysetPage, keysetParameters, offsetPage, pageParameters } from "./pages";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The arguments of a handler: caller, target and validated parameters. */
export interface Call<Target, Input> extends IncomingRequest {
  /** The record of the path's `:id`. The caller is authorized to use this record. */
  readonly target: Target;
  readonly input: Input;
  /** The origin of URLs in responses, such as `http://127.0.0.1:4000`. */
  readonly origin: string;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** A response body that is already serialized. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One row of the route table. The HTTP server and the OpenAPI document are derived from this table. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  /** The section of the specification, or a text that begins with `settled:` for an addition to the specification. */
  readonly section: string;
  readonly status: number;
  readonly input: z.ZodObject;
  /** The schema of the response body; undefined for a response without a body. */
  readonly answer: z.ZodType | undefined;
  readonly isPaged: boolean;
  readonly access: AccessRule<unknown>;
  /** Whether the endpoint accepts Basic authentication with the token as the password. */
  readonly hasBasicAuth: boolean;
  /** Whether the request body is a state, which may be large. */
  readonly hasStateBody: boolean;
  /**
   * Whether the service has the endpoint, if this depends on a habit of the live platform. Undefined if the service
   * always has the endpoint.
   */
  readonly served: Choice<boolean> | undefined;
  /**
   * Authorizes the caller for the target before a body is read.
   *
   * @throws HttpError 401, 403 or 404, or a redirect for a project that moved.
   */
  authorize(incoming: IncomingRequest): void;
  respond(incoming: IncomingRequest): Reply;
}

/**
 * An endpoint as a file of `areas` declares it. If an endpoint has no section, `inSection` adds the section of the
 * file.
 */
export type Declared = Omit<Endpoint, "section"> & { readonly section: string | undefined };

/** Returns the endpoints of an area. An endpoint without a section gets `section`. */
export const inSection = (section: string, endpoints: readonly Declared[]): readonly Endpoint[] =>
  endpoints.map((each) => ({ ...each, section: each.section ?? section }));

interface Declaration<Target, Shape extends z.ZodRawShape>
  extends Pick<Endpoint, "summary">,
    Partial<Pick<Endpoint, "section" | "hasBasicAuth" | "hasStateBody" | "served">> {
  /** The method and the path after `/api/v4`, with `:name` for parameters: `GET /projects/:id`. */
  readonly route: `${Method} ${string}`;
  readonly access: AccessRule<Target>;
  readonly input?: Shape;
  /** Token scopes that are also sufficient, in addition to `api` and `read_api`. */
  readonly scopes?: readonly string[];
}

interface RecordDeclaration<Target, Shape extends z.ZodRawShape, Answer extends z.ZodType>
  extends Declaration<Target, Shape> {
  /** The HTTP status of success. Default: 204 without a response body, 201 for a POST, otherwise 200. */
  readonly status?: number;
  readonly answer?: Answer;
  handle(
    call: Call<Target, z.output<z.ZodObject<Shape>>>,
  ): Answer extends z.ZodUndefined ? void : z.output<Answer> | RawJson;
}

/** A response body that is sent unchanged. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Declares an endpoint that responds with one record, a plain array, or no body. */
export function endpoint<Target, Shape extends z.ZodRawShape, Answer extends z.ZodType = z.ZodUndefined>(
  declaration: RecordDeclaration<Target, Shape, Answer>,
): Declared {
  const { heading, input, readCall } = declared(declaration);
  const usual = declaration.route.startsWith("POST ") ? 201 : 200;
  const status = declaration.status ?? (declaration.answer === undefined ? 204 : usual);
  return {
    ...heading,
    status,
    input,
    answer: declaration.answer,
    isPaged: false,
    respond(incoming) {
      const body: unknown = declaration.handle(readCall(incoming));
      if (body instanceof RawJson) return { status, text: body.text };
      return body === undefined ? { status } : { status, body };
    },
  };
}

interface ListDeclaration<Target, Shape extends z.ZodRawShape, Entry extends z.ZodType>
  extends Declaration<Target, Shape> {
  readonly entry: Entry;
  /** The rule for keyset pagination, if the endpoint has this pagination. */
  readonly keyset?: KeysetRule;
  /**
   * The number of records up to which this endpoint has offset pagination, in addition to the instance's
   * `maximumOffset`.
   */
  readonly offsetLimit?: number;
  handle(call: Call<Target, z.output<z.ZodObject<Shape>>>): Selection<z.output<Entry>>;
}

const readPages = parameterReader(z.object(pageParameters));
const readKeyset = parameterReader(z.object(keysetParameters));

/** Declares an endpoint that lists records in pages. */
export function listEndpoint<Target, Shape extends z.ZodRawShape, Entry extends z.ZodType>(
  declaration: ListDeclaration<Target, Shape, Entry>,
): Declared {
  const { heading, input, readCall } = declared(declaration);
  return {
    ...heading,
    status: 200,
    input: z.object({ ...input.shape, ...pageParameters, ...(declaration.keyset ? keysetParameters : {}) }),
    answer: z.array(declaration.entry),
    isPaged: true,
    respond(incoming) {
      const selection = declaration.handle(readCall(incoming));
      const given = { ...incoming.given };
      const page =
        declaration.keyset !== undefined && given["pagination"] === "keyset"
          ? keysetPage(incoming, selection, readKeyset(given), declaration.keyset)
          : offsetPage(incoming, selection, readPages(given), declaration.offsetLimit);
      return { status: 200, ...page };
    },
  };
}

/**
 * Returns the fields that an endpoint of a record and an endpoint of a list have in common. `readCall` checks the
 * token, the scopes, the visibility, the role and the parameters, in this order. Because of this order, no error
 * reveals a hidden record.
 */
function declared<Target, Shape extends z.ZodRawShape>(declaration: Declaration<Target, Shape>) {
  const { route, summary, section, access, hasBasicAuth = false, hasStateBody = false, served } = declaration;
  const [method, path] = route.split(" ") as [Method, string];
  const targetOf = (incoming: IncomingRequest): Target => {
    requireScope(incoming.caller, incoming.isRead, declaration.scopes ?? []);
    return access.authorize(incoming);
  };
  const authorize = (incoming: IncomingRequest): void => void targetOf(incoming);
  const input = z.object(declaration.input ?? ({} as Shape));
  const read = parameterReader(input);
  return {
    heading: { method, path, summary, section, access, hasBasicAuth, hasStateBody, authorize, served },
    input,
    readCall: (incoming: IncomingRequest): Call<Target, z.output<typeof input>> => ({
      ...incoming,
      target: targetOf(incoming),
      input: read({ ...incoming.given, ...incoming.path }),
      origin: incoming.address.origin,
    }),
  };
}

/** Prefix of every path of the specification (Versioning 1). */
const PREFIX = "/api/v4";

/** Returns the path of an endpoint with the prefix of the API. The service's own endpoints have no prefix. */
export const addressPattern = (path: string): string =>
  path.startsWith("/_steward/") ? path : `${PREFIX}${path}`;
