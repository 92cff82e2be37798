import type { Socket } from "node:net";
import { createServer } from "node:tls";
import type { Identity } from "./certificate";
import type { Log } from "./log";

/** The certificates of both ends, if the connection is encrypted. */
export interface Certificates {
  readonly own: Identity;
  /** PEM. */
  readonly client: string;
}

/**
 * Encrypts a connection, and passes it on after the client has proved that it has the key of its certificate.
 */
export function secure(
  socket: Socket,
  { own, client }: Certificates,
  log: Log,
  onSecure: (secured: Socket) => void,
): void {
  const server = createServer({
    cert: own.certificatePem,
    key: own.keyPem,
    ca: client,
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ["h2"],
  });
  server.on("secureConnection", onSecure);
  server.on("tlsClientError", ({ message }) => log("debug", "connection refused", { error: message }));
  server.emit("connection", socket);
}
