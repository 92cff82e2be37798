import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** A request as the fault server received it. */
export interface SeenRequest {
  readonly method: string;
  /** The path below `/api/v4`, with the query, as the client sent it. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** The reaction of the server to a request: it sends a response or damages the connection. */
export type Behaviour = (request: SeenRequest, response: ServerResponse) => void;

export interface FaultServer {
  readonly baseUrl: string;
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  /** Closes the next `count` connections before it reads anything from them. */
  cutConnections(count: number): void;
  close(): Promise<void>;
}

/**
 * Starts a server whose first request gets the first behaviour, the second request the second behaviour, and so on. The
 * last behaviour applies to all further requests.
 */
export const startFaultServer = (...behaviours: Behaviours): Promise<FaultServer> =>
  listen(createServer(), "http", behaviours);

/** Starts a fault server with TLS. */
export const startSecureFaultServer = (tls: ServerOptions, ...behaviours: Behaviours): Promise<FaultServer> =>
  listen(createSecureServer(tls), "https", behaviours);

type Behaviours = [Behaviour, ...Behaviour[]];

async function listen(server: Server, protocol: string, behaviours: Behaviours): Promise<FaultServer> {
  const seen: SeenRequest[] = [];
  server.on("request", async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks = (await incoming.toArray()) as Buffer[];
    const request = {
      method: incoming.method!,
      target: incoming.url!.replace(/^\/api\/v4/, ""),
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const behaviour = behaviours[Math.min(seen.length, behaviours.length - 1)]!;
    seen.push(request);
    behaviour(request, response);
  });
  const sockets = new Set<Socket>();
  let toCut = 0;
  server.on("connection", (socket: Socket) => {
    if (toCut > 0) {
      toCut -= 1;
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `${protocol}://127.0.0.1:${port}`,
    port,
    seen,
    cutConnections(count) {
      toCut = count;
    },
    async close() {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Responds with JSON. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

/** Responds without a body. */
export const empty =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end();
  };

/** Closes the connection after it has read the request. */
export const cut: Behaviour = (_, response) => {
  response.socket?.destroy();
};

/** Sends the head and half of the body, then cuts the connection. */
export const halfABody: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write(`{"id": 1,`, () => response.socket?.destroy());
};

/** Sends the first byte of a response, and then nothing more. */
export const slowBytes: Behaviour = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write("{");
};

/** Responds with JSON of at least this many bytes. */
export const huge =
  (bytes: number): Behaviour =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id: 1, path_with_namespace: "a/b", description: "x".repeat(bytes) }));
  };

/** Redirects to another address. */
export const redirect = (status: number, location: string): Behaviour => empty(status, { location });
