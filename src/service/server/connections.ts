import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { ConnectionError, FastifyInstance, FastifyRequest } from "fastify";

/** The maximum number of bytes of a query string. The response to a longer query string is a 414. */
export const MAX_QUERY = 8_192;

/**
 * The maximum number of bytes of a state. The service also reads and discards at most this number of bytes of a refused
 * body.
 */
export const STATE_LIMIT = 268_435_456;

/** The maximum number of waiting pipelined requests on one connection. */
const MAX_PIPELINED = 16;

/** The maximum number of characters of all unread responses to callers without a token. */
const MAX_UNREAD_CHARACTERS = 16_777_216;

interface Line {
  length: number;
  /** A promise that resolves after the response to the last request of the queue. */
  answered: Promise<void>;
}

/** Node's HTTP parser of a connection. `onIncoming` returns 2 to stop parsing. */
interface Parser {
  onIncoming?: (request: IncomingMessage, keepAlive: boolean) => number;
}
const STOP = 2;

/**
 * Handles the pipelined requests of a connection in sequence. Without this sequence, a client that sends many requests
 * and reads no response makes the service hold all responses. A connection with too many waiting requests is closed.
 */
export function answerInSequence(server: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const line = lines.get(socket) ?? { length: 0, answered: Promise.resolve() };
    lines.set(socket, line);
    return line;
  };

  // One read can bring thousands of requests. Node emits all requests of one read even after the connection is
  // destroyed, so the parser itself must stop.
  server.server.on("connection", (socket: Socket & { parser?: Parser | null }) => {
    const { parser } = socket;
    const take = parser?.onIncoming;
    if (!parser || !take) return;
    parser.onIncoming = (request, keepAlive) => {
      if (lineOf(socket).length <= MAX_PIPELINED) return take(request, keepAlive);
      socket.destroy();
      return STOP;
    };
  });

  server.addHook("onRequest", (request, reply, done) => {
    const { socket } = request.raw;
    const line = lineOf(socket);
    const before = line.answered;
    line.length += 1;
    line.answered = new Promise((resolve) => {
      reply.raw.once("close", () => {
        line.length -= 1;
        resolve();
      });
    });
    if (line.length === 1) {
      done();
      return;
    }
    void before.then(() => {
      if (socket.destroyed) reply.hijack();
      else done();
    });
  });
}

const known = new WeakSet<FastifyRequest>();

/** Records that a request has a valid token. Unread responses to such requests are not limited. */
export const markAuthenticated = (request: FastifyRequest): void => void known.add(request);

/**
 * Limits the memory of unread responses to callers without a token. Beyond the limit, the connection with the oldest response is
 * closed. Responses to callers with a token are not limited.
 */
export function limitUnreadResponses(server: FastifyInstance): void {
  // The unread responses, the oldest first.
  const unread = new Map<Socket, number>();
  let total = 0;
  const forget = (socket: Socket): void => {
    total -= unread.get(socket) ?? 0;
    unread.delete(socket);
  };
  server.addHook("onSend", (request, reply, payload, done) => {
    done();
    if (typeof payload !== "string" || known.has(request)) return;
    const { socket } = request.raw;
    forget(socket);
    unread.set(socket, payload.length);
    total += payload.length;
    reply.raw.once("close", () => forget(socket));
    for (const oldest of unread.keys()) {
      if (total <= MAX_UNREAD_CHARACTERS || oldest === socket) break;
      forget(oldest);
      oldest.destroy();
    }
  });
}

/** The connections on which a response was sent before the body of the request was read. */
const drained = new WeakSet<Socket>();

/** Reads and discards data. Closes the connection after more than `STATE_LIMIT` bytes. */
function discard(from: Readable, socket: Socket): void {
  let bytes = 0;
  from.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > STATE_LIMIT) socket.destroy();
  });
  from.resume();
}

/**
 * Discards the rest of a refused body. Most clients read the response only after they have sent the whole request.
 * The connection therefore stays open until the request has ended, or exceeds its limit of bytes or time.
 */
export function drain(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || drained.has(socket)) return;
  drained.add(socket);
  request.on("end", () => drained.delete(socket));
  request.on("error", () => socket.destroy());
  discard(request, socket);
}

/** Returns whether the request line exceeded the size limit. If false, the headers exceeded the limit. */
function isAddressTooLong({ rawPacket, bytesParsed }: ConnectionError): boolean {
  // The declared type is wrong: the packet is a Buffer.
  const packet = rawPacket as unknown as Buffer;
  const end = packet.indexOf("\r\n");
  return end < 0 || end > MAX_QUERY || bytesParsed <= end;
}

function statusOf(error: ConnectionError): string {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  if (error.code !== "HPE_HEADER_OVERFLOW") return "400 Bad Request";
  return isAddressTooLong(error) ? "414 URI Too Long" : "431 Request Header Fields Too Large";
}

/** Responds to requests that could not be parsed or timed out. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  // The request already has a response.
  if (!socket.writable || drained.has(socket)) {
    socket.destroy();
    return;
  }
  const status = statusOf(error);
  const body = JSON.stringify({ error: status });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  discard(socket, socket);
}
