import type { Socket } from "node:net";
import fastify, {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { ANONYMOUS, type Caller, callerOf } from "../access/caller";
import type { ServiceSettings } from "../settings";
import type { Database } from "../store/database";
import { addBodyParsers } from "./body-parsers";
import type { Endpoint, Reply } from "./endpoint";
import { HttpError, noEndpoint, unauthorized } from "./errors";
import { decodeForm } from "./form";

/** Every path of the specification stands below this one. */
export const PREFIX = "/api/v4";

/** Bytes of a query string; longer ones are 414. */
const MAX_QUERY = 8_192;
// Node answers 431 by itself above this, so it must lie far beyond what the service refuses with 414.
const MAX_HEADERS = 1_048_576;

export interface ServerContext {
  readonly database: Database;
  readonly settings: ServiceSettings;
}

/** What a plain HTTP server needs to know to answer a request. */
export function createServer(context: ServerContext, endpoints: readonly Endpoint[]): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: context.settings.bodyLimit,
    http: { maxHeaderSize: MAX_HEADERS },
    forceCloseConnections: true,
    routerOptions: {
      // A longer segment would be 404 of the router, before the service could say what is wrong.
      maxParamLength: MAX_HEADERS,
      querystringParser: decodeForm,
    },
    frameworkErrors: (error, _request, reply) => sendError(error, reply),
    clientErrorHandler: answerBrokenRequest,
  });
  addBodyParsers(server);
  server.setErrorHandler((error, _request, reply) => sendError(error, reply));
  server.setNotFoundHandler((_request, reply) => sendError(noEndpoint(), reply));
  server.addHook("onRequest", async (request) => {
    const query = request.url.indexOf("?");
    if (query >= 0 && request.url.length - query - 1 > MAX_QUERY) {
      throw new HttpError(414, {
        error: `The query string is longer than ${MAX_QUERY} bytes. Send the parameters in the body instead.`,
      });
    }
  });
  for (const endpoint of endpoints) addRoute(server, context, endpoint);
  return server;
}

function addRoute(server: FastifyInstance, context: ServerContext, endpoint: Endpoint): void {
  server.route({
    method: endpoint.method,
    url: `${PREFIX}${endpoint.path}`,
    handler: (request, reply) => send(reply, answer(context, endpoint, request)),
  });
}

/** Answers a request in one go: all of a write's reading and changing is a single transaction. */
function answer(context: ServerContext, endpoint: Endpoint, request: FastifyRequest): Reply {
  const reads = endpoint.method === "GET";
  const respond = () =>
    endpoint.respond({
      ...context,
      reads,
      caller: identify(context.database, request),
      path: request.params as Record<string, string>,
      given: { ...(request.query as object), ...(request.body as object | undefined) },
      address: new URL(request.url, `http://${request.headers.host ?? "localhost"}`),
    });
  return reads ? respond() : context.database.write(respond);
}

/** Who sends a request (specification, Authentication 1). Some clients send both headers; the first one counts. */
function identify(database: Database, request: FastifyRequest): Caller {
  const { authorization } = request.headers;
  const own = request.headers["private-token"];
  if (typeof own === "string" && own !== "") return callerOf(database, own);
  if (authorization === undefined) return ANONYMOUS;
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer === undefined) throw unauthorized();
  return callerOf(database, bearer);
}

function send(reply: FastifyReply, answered: Reply): FastifyReply {
  reply.code(answered.status).headers(answered.headers ?? {});
  // A body that is a record always goes out as JSON, also a text.
  return answered.body === undefined
    ? reply.send()
    : reply.type("application/json").send(JSON.stringify(answered.body));
}

function sendError(error: unknown, reply: FastifyReply): FastifyReply {
  const known = error instanceof HttpError ? error : fromFramework(error);
  return send(reply, known);
}

/** What fastify itself refuses: a body that is too large, a length that does not fit. */
function fromFramework(error: unknown): HttpError {
  const status =
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
      ? error.statusCode
      : 500;
  if (status >= 500) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return new HttpError(500, { message: "500 Internal Server Error" });
  }
  return new HttpError(status, { error: (error as Error).message });
}

/** Answers what never became a request. A header block that overflows within its first line is an address too long. */
function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (!socket.writable) return;
  const overflow = error.code === "HPE_HEADER_OVERFLOW";
  const inFirstLine = overflow && !String(error.rawPacket).includes("\r\n");
  const status = inFirstLine
    ? "414 URI Too Long"
    : overflow
      ? "431 Request Header Fields Too Large"
      : "400 Bad Request";
  const body = JSON.stringify({ error: status });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}
