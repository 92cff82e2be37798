import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { MAX_UNREAD_CHARACTERS } from "./limits";

const known = new WeakSet<FastifyRequest>();

/** Marks a request as one with a token that somebody has. */
export const markAuthenticated = (request: FastifyRequest): void => void known.add(request);

/**
 * Bounds what answers to strangers take until they are read: beyond it, the connection goes on which an answer waits the
 * longest. Answers to those with a token are not cut, as there are as many as tokens were given.
 */
export function limitUnreadResponses(server: FastifyInstance): void {
  // In the order in which they were begun.
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
