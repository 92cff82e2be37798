import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { STATE_LIMIT } from "./limits";

const drained = new WeakSet<Socket>();

/** Whether a request on this connection was answered before its body had come. */
export const isDrained = (socket: Socket): boolean => drained.has(socket);

/** Reads what comes and keeps none of it; beyond a bound the connection ends. */
export function discard(from: Readable, socket: Socket): void {
  let bytes = 0;
  from.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > STATE_LIMIT) socket.destroy();
  });
  from.resume();
}

/**
 * Throws away what is left of a body that nobody wants. Most clients read an answer only when they have sent everything, so
 * the connection stays open meanwhile: for a bounded number of bytes, and no longer than a request may take.
 */
export function drain(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || drained.has(socket)) return;
  drained.add(socket);
  request.on("end", () => drained.delete(socket));
  request.on("error", () => socket.destroy());
  discard(request, socket);
}
