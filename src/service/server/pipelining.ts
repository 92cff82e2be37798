import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { MAX_PIPELINED } from "./limits";

interface Line {
  length: number;
  /** When the last request in it has its answer. */
  answered: Promise<void>;
}

/** Node's parser of one connection, which takes a request by a number: 2 is the end of what it reads as HTTP. */
interface Parser {
  onIncoming?: (request: IncomingMessage, keepAlive: boolean) => number;
}
const STOP = 2;

/**
 * Answers the requests of one connection one after the other. A client may send many before it reads, and each answer
 * would be made and kept at once: no more than a few wait, and a longer line ends the connection.
 */
export function answerInSequence(server: FastifyInstance): void {
  const lines = new WeakMap<Socket, Line>();
  const lineOf = (socket: Socket): Line => {
    const line = lines.get(socket) ?? { length: 0, answered: Promise.resolve() };
    lines.set(socket, line);
    return line;
  };

  // Thousands of requests may stand in what one read brings, and Node hands out all of them, also of a connection that was
  // destroyed at the first: they are kept until the connection is gone, so that the parser itself has to stop.
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
