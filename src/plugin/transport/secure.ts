import type { Socket } from "node:net";
import { createServer } from "node:tls";
import type { Identity } from "./certificate";
import type { Log } from "./log";

/** What both ends have to show each other, where they do. */
export interface Certificates {
  readonly own: Identity;
  /** PEM. */
  readonly client: string;
}

/** Encrypts a connection, and hands it on once the other end has shown that it holds the key to the client's certificate. */
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
