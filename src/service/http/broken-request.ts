import type { Socket } from "node:net";
import type { ConnectionError } from "fastify";

/** Answers what never became a request. A header block that overflows within its first line is an address too long. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
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
