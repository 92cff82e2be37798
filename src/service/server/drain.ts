import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { STATE_LIMIT } from "./limits";

const drained = new WeakSet<Socket>();

/** Whether a request of this connection was answered before its body was read. */
export const isDrained = (socket: Socket): boolean => drained.has(socket);

/** Reads and discards data; closes the connection beyond a limit. */
export function discard(from: Readable, socket: Socket): void {
  let bytes = 0;
  from.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > STATE_LIMIT) socket.destroy();
  });
  from.resume();
}

/**
 * Discards the rest of a refused body. Most clients read the response only after they have sent everything, so the
 * connection stays open until then, within the limits of bytes and time of a request.
 */
export function drain(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || drained.has(socket)) return;
  drained.add(socket);
  request.on("end", () => drained.delete(socket));
  request.on("error", () => socket.destroy());
  discard(request, socket);
}
