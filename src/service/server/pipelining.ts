import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { MAX_PIPELINED, MAX_UNREAD_CHARACTERS } from "./limits";

interface Line {
  length: number;
  /** Resolves when the last request of the queue is answered. */
  answered: Promise<void>;
}

/** Node's HTTP parser of a connection. `onIncoming` returns 2 to stop parsing. */
interface Parser {
  onIncoming?: (request: IncomingMessage, keepAlive: boolean) => number;
}
const STOP = 2;

/**
 * Answers the pipelined requests of a connection in sequence. Otherwise a client that sends many and reads none makes the
 * service hold all responses. A connection with too many waiting requests is closed.
 */
export function answerInSequence(server: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const line = lines.get(socket) ?? { length: 0, answered: Promise.resolve() };
    lines.set(socket, line);
    return line;
  };

  // One read can bring thousands of requests. Node emits all of them, even after the connection was destroyed, so the
  // parser itself has to stop.
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

/** Marks a request with a valid token. */
export const markAuthenticated = (request: FastifyRequest): void => void known.add(request);

/**
 * Limits the memory of unread responses to callers without a token: beyond the limit, the connection with the oldest one is
 * closed. Responses to callers with a token are not limited.
 */
export function limitUnreadResponses(server: FastifyInstance): void {
  // Oldest response first.
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
