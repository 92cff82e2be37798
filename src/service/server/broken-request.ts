import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { ConnectionError } from "fastify";
import { MAX_QUERY, STATE_LIMIT } from "./limits";

const drained = new WeakSet<Socket>();

/** Whether a request of this connection was answered before its body was read. */
const isDrained = (socket: Socket): boolean => drained.has(socket);

/** Reads and discards data; closes the connection beyond a limit. */
function discard(from: Readable, socket: Socket): void {
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

/** Whether the request line, not the headers, exceeded the limit. */
function isAddressTooLong({ rawPacket, bytesParsed }: ConnectionError): boolean {
  // The declared type is wrong: this is a Buffer.
  const packet = rawPacket as unknown as Buffer;
  const end = packet.indexOf("\r\n");
  return end < 0 || end > MAX_QUERY || bytesParsed <= end;
}

function statusOf(error: ConnectionError): string {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  if (error.code !== "HPE_HEADER_OVERFLOW") return "400 Bad Request";
  return isAddressTooLong(error) ? "414 URI Too Long" : "431 Request Header Fields Too Large";
}

/** Answers requests that could not be parsed or timed out. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  // The request was answered already.
  if (!socket.writable || isDrained(socket)) {
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
