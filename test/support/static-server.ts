import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createIdentity } from "../../src/plugin/transport/handshake";

export interface StaticServer {
  readonly url: string;
  /** The certificate of the authority that clients must trust, in PEM. */
  readonly authority: string;
  /** The paths of all requests. */
  readonly requested: readonly string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = { ".json": "application/json", ".zip": "application/zip" };

/** Starts a simple web server on loopback that serves the files of a folder over https. */
export async function serveFolder(folder: string): Promise<StaticServer> {
  const { certificatePem, keyPem } = createIdentity();
  const requested: string[] = [];
  const server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
    const { pathname } = new URL(request.url!, "https://localhost");
    requested.push(pathname);
    const file = path.join(folder, path.posix.normalize(decodeURIComponent(pathname)));
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[path.extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    authority: certificatePem,
    requested,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
