import type { Socket } from "node:net";
import type { ConnectionError } from "fastify";
import { discard, isDrained } from "./drain";
import { MAX_QUERY } from "./limits";

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
