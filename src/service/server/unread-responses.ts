import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { MAX_UNREAD_CHARACTERS } from "./limits";

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
