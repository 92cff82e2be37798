import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { oneLine } from "../../text";
import { ANONYMOUS, callerOf } from "../access/caller";
import { LARGE_STATE } from "../areas/terraform-states";
import type { IncomingRequest } from "../endpoint/authorization";
import { addressPattern, type Endpoint, type Reply } from "../endpoint/endpoint";
import type { Faults } from "../endpoint/faults";
import { htmlNotFound, NOT_FOUND_PAGE } from "../habits/html-not-found";
import { Replicas } from "../habits/lagging-replicas";
import { SIGN_IN_PAGE, signInPage } from "../habits/sign-in-page";
import { HttpError, noEndpoint } from "../http/errors";
import { hasHabit, type ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";
import { addBodyParsers, decodeForm, textOf } from "./body-parsers";
import {
  answerBrokenRequest,
  answerInSequence,
  drain,
  limitUnreadResponses,
  MAX_QUERY,
  markAuthenticated,
  STATE_LIMIT,
} from "./connections";
import { rateLimiter, tokenOf } from "./rate-limit";
import type { Observer } from "./request-log";
import { type Route, routeTable } from "./routes";

/**
 * The maximum number of bytes of a request line with its headers. The limit is above the maximum length of a query,
 * so that the service itself refuses a longer query.
 */
const MAX_HEADERS = 65_536;

// zod validates requests, and JSON.stringify serializes responses. Without these stubs, fastify loads ajv, which takes longer
// than the rest of the start.
const refuseSchema = (): never => {
  throw new Error("A route was declared with a schema of fastify's; endpoints declare theirs with zod");
};
const NO_SCHEMAS = { buildValidator: refuseSchema, buildSerializer: refuseSchema };

export interface ServerContext {
  readonly database: Database;
  readonly settings: ServiceSettings;
  readonly faults: Faults;
  readonly observers: readonly Observer[];
  /** Refuses a Host header that is not allowed. */
  readonly checkHost?: ((header: string | undefined) => void) | undefined;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const ROUTES = new WeakMap<FastifyRequest, Route>();

/** Returns the route of a request. @throws HttpError 404 if the request has no endpoint */
function routeOf(request: FastifyRequest): Route {
  const route = ROUTES.get(request);
  if (route === undefined) throw noEndpoint();
  return route;
}

/** The objects and settings that all requests share. */
interface Serving extends ServerContext {
  readonly replicas: Replicas;
}

/** Creates the HTTP server for a route table. */
export function createServer(given: ServerContext, endpoints: readonly Endpoint[]): FastifyInstance {
  const context: Serving = { ...given, replicas: new Replicas(given.database, given.settings) };
  const server: FastifyInstance = fastify({
    logger: false,
    bodyLimit: context.settings.bodyLimit,
    requestTimeout: context.settings.requestTimeout * 1000,
    http: {
      maxHeaderSize: MAX_HEADERS,
      headersTimeout: Math.min(60, context.settings.requestTimeout) * 1000,
      connectionsCheckingInterval: Math.min(30, context.settings.requestTimeout) * 1000,
    },
    forceCloseConnections: true,
    routerOptions: {
      // A known client requests its list of templates with a slash at the end.
      ignoreTrailingSlash: true,
      // For a longer segment, the router responds with a 404, which hides the actual error.
      maxParamLength: MAX_HEADERS,
      // An error that is thrown here gets no response, so the request handler parses the query instead.
      querystringParser: () => ({}),
    },
    schemaController: { compilersFactory: NO_SCHEMAS },
    frameworkErrors: (error, _request, reply) => sendError(context, error, reply as FastifyReply),
    clientErrorHandler: answerBrokenRequest,
  });
  server.server.maxConnections = context.settings.maxConnections;
  const routes = routeTable(endpoints);
  server.addHook("onRequest", (request, _reply, done) => {
    const route = routes(request.method, request.url);
    if (route !== undefined) ROUTES.set(request, route);
    done();
  });
  answerInSequence(server);
  limitUnreadResponses(server);
  addBodyParsers(server);
  server.setErrorHandler((error, _request, reply) => sendError(context, error, reply));
  server.setNotFoundHandler((_request, reply) => sendError(context, noEndpoint(), reply));
  addLimits(server, context);
  if (context.observers.length > 0) {
    server.addHook("onRequest", async (request) => {
      STARTED_AT.set(request, performance.now());
    });
    server.addHook("onSend", async (request, reply) => notifyObservers(context, request, reply.statusCode));
  }
  const closing = new AbortController();
  // Each delayed request adds a listener. A large number of listeners is therefore not a leak.
  setMaxListeners(0, closing.signal);
  server.addHook("preClose", async () => closing.abort());
  server.addHook("onClose", async () => context.replicas.close());
  const route = routeOptions(context, closing.signal);
  server.route({ ...route, method: METHODS, url: "*", config: { hasStateBody: false } });
  // Only the endpoints of states have separate routes, because the limit of a body is a property of a route.
  const admitState = inTurn();
  for (const { method, path } of endpoints.filter(({ hasStateBody }) => hasStateBody)) {
    const url = addressPattern(path);
    const onRequest = [route.onRequest, admitState];
    server.route({
      ...route,
      method,
      url,
      onRequest,
      bodyLimit: STATE_LIMIT,
      config: { hasStateBody: true },
    });
  }
  return server;
}

/** Returns the query string without its question mark. */
const queryOf = ({ url }: FastifyRequest): string =>
  url.includes("?") ? url.slice(url.indexOf("?") + 1) : "";

/** Adds the limits that apply to every request. */
function addLimits(server: FastifyInstance, { database, settings, checkHost }: ServerContext): void {
  const limiter = settings.rateLimit && rateLimiter(database, settings.rateLimit);
  server.addHook("onRequest", async (request, reply) => {
    checkHost?.(request.headers.host);
    if (limiter !== undefined) reply.headers(limiter(request));
    if (queryOf(request).length > MAX_QUERY) {
      throw new HttpError(414, {
        error: `The query string is longer than ${MAX_QUERY} bytes. Send the parameters in the body instead.`,
      });
    }
    routeOf(request);
  });
  server.addHook("onSend", async (request, reply) => {
    // The header would close the connection, and a client that is still sending its request would lose the response.
    if (!request.raw.complete) reply.removeHeader("connection");
    drain(request.raw);
  });
}

/** Waits for a number of milliseconds. Resolves to false if the service closes during the wait. */
const delayed = (milliseconds: number, closing: AbortSignal): Promise<boolean> =>
  setTimeout(milliseconds, true, { signal: closing }).catch(() => false);

const routeOptions = (context: Serving, closing: AbortSignal) => ({
  // The caller is authorized before any part of the body is read.
  onRequest: async (request: FastifyRequest): Promise<void> => {
    if (!hasBody(request)) return;
    const route = routeOf(request);
    route.endpoint.authorize(incomingOf(context, route, request));
  },
  handler: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const route = routeOf(request);
    if (isSignedOut(context.settings, route)) return reply.code(200).type("text/html").send(SIGN_IN_PAGE);
    const fault = context.faults.take(route.endpoint.method, route.endpoint.path);
    if (fault === undefined) return send(reply, answer(context, route, request));
    if (fault.delay > 0 && !(await delayed(fault.delay, closing))) return reply.hijack();
    const answered =
      fault.after_work || (!fault.cut && fault.status === undefined)
        ? answer(context, route, request)
        : undefined;
    if (fault.cut) {
      notifyObservers(context, request, "cut");
      reply.hijack();
      request.raw.socket.destroy();
      return reply;
    }
    if (fault.status === undefined) return send(reply, answered!);
    const headers: Record<string, string> =
      fault.retry_after === undefined ? {} : { "Retry-After": String(fault.retry_after) };
    throw new HttpError(fault.status, { message: `${fault.status} as asked for` }, headers);
  },
});

/**
 * Returns whether a request gets a sign-in page instead of its response. While the habit `sign-in-page` is on, all
 * writes to the API get this page.
 */
const isSignedOut = (settings: ServiceSettings, { endpoint: { method, path } }: Route): boolean =>
  method !== "GET" && !path.startsWith("/_steward/") && hasHabit(settings, signInPage);

/**
 * Returns a hook that handles requests with large states one after the other. The connection of a waiting request is paused.
 */
function inTurn(): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return async (request, reply) => {
    // Without a content length, the state may be as large as the limit.
    const bytes = hasBody(request) ? Number(request.headers["content-length"] ?? STATE_LIMIT) : 0;
    if (bytes <= LARGE_STATE || bytes > STATE_LIMIT) return;
    const before = last;
    const closed = new Promise<void>((resolve) => void reply.raw.once("close", resolve));
    last = Promise.all([before, closed]);
    await Promise.race([before, closed]);
    if (request.raw.socket.destroyed) reply.hijack();
  };
}

// fastify's own `elapsedTime` of a reply stays 0 unless fastify's logger is on.
const STARTED_AT = new WeakMap<FastifyRequest, number>();

function notifyObservers({ observers }: ServerContext, request: FastifyRequest, status: number | "cut") {
  const { method, url } = request;
  const now = performance.now();
  const milliseconds = now - (STARTED_AT.get(request) ?? now);
  const route = ROUTES.get(request)?.endpoint.path;
  for (const observe of observers) observe({ method, url, route, status, milliseconds });
}

const hasBody = ({ method, headers }: FastifyRequest): boolean =>
  method !== "GET" &&
  method !== "HEAD" &&
  (headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0");

/** Returns a request with its caller. The parameters of the request are not read yet. */
function incomingOf(
  { database, settings }: ServerContext,
  { endpoint, path }: Route,
  request: FastifyRequest,
): IncomingRequest {
  const token = tokenOf(request.headers, endpoint.hasBasicAuth);
  const caller = token === undefined ? ANONYMOUS : callerOf(database, token);
  if (caller.user !== undefined) markAuthenticated(request);
  return {
    database,
    settings,
    isRead: endpoint.method === "GET",
    caller,
    path,
    given: {},
    text: "",
    url: request.url,
    address: addressOf(request),
  };
}

/** Responds to a request. A write runs as one transaction. */
function answer(context: Serving, route: Route, request: FastifyRequest): Reply {
  const { endpoint } = route;
  const respond = (database: Database) =>
    endpoint.respond({
      ...incomingOf(context, route, request),
      database,
      given: { ...decodeForm(queryOf(request)), ...(request.body as object | undefined) },
      text: textOf(request.body),
    });
  const { database, replicas } = context;
  if (endpoint.method === "GET") return replicas.read(respond);
  replicas.willWrite();
  return database.write(() => respond(database));
}

/** Returns the requested URL, on the origin that the client used. */
function addressOf(request: FastifyRequest): URL {
  try {
    return new URL(request.url, `http://${request.headers.host ?? "localhost"}`);
  } catch (cause) {
    throw new HttpError(400, { error: "The Host header is no host" }, {}, { cause });
  }
}

function send(reply: FastifyReply, answered: Reply): FastifyReply {
  reply.code(answered.status).headers(answered.headers ?? {});
  // A body is always serialized as JSON, even if it is a string.
  if (answered.text !== undefined) return reply.type("application/json").send(answered.text);
  return answered.body === undefined
    ? reply.send()
    : reply.type("application/json").send(JSON.stringify(answered.body));
}

function sendError({ settings }: ServerContext, problem: unknown, reply: FastifyReply): FastifyReply {
  const error = problem instanceof HttpError ? problem : fromFramework(problem);
  return error.status === 404 && hasHabit(settings, htmlNotFound)
    ? reply.code(404).type("text/html").send(NOT_FOUND_PAGE)
    : send(reply, error);
}

/**
 * Converts the errors of fastify itself, such as the error for a body that is too large. Any other error is an internal error.
 */
function fromFramework(error: unknown): HttpError {
  const status =
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
      ? error.statusCode
      : 500;
  if (status < 500) return new HttpError(status, { error: (error as Error).message });
  // The text is escaped, because it may quote the input of a client.
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`service: ${text.split("\n").map(oneLine).join("\nservice: ")}\n`);
  return new HttpError(500, { message: "500 Internal Server Error" });
}
