import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback that stores one document for each key, and has no locks. */
export class DocumentServer {
  readonly documents = new Map<string, string>();
  readonly #server: Server;

  /** @param keyOf returns the key of a URL; undefined for a URL that the server does not serve */
  constructor(keyOf: (url: URL) => string | undefined) {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const key = keyOf(new URL(request.url ?? "", "http://x"));
      if (key === undefined) return void response.writeHead(400).end();
      if (request.method === "POST") this.documents.set(key, Buffer.concat(chunks).toString("utf8"));
      const document = this.documents.get(key);
      response.writeHead(document === undefined ? 404 : 200).end(document);
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }
}
