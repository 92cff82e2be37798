import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { run } from "./packed";

/** A registry on this machine that serves the built packages as if they were published. */
export interface LoopbackRegistry {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a registry that serves these tarballs, and redirects all other requests to npm's registry. */
export async function startRegistry(tarballs: readonly string[]): Promise<LoopbackRegistry> {
  const upstream = (await run("npm", ["config", "get", "registry"])).stdout.trim().replace(/\/$/, "");
  const manifests = await Promise.all(tarballs.map(manifestIn));
  let url = "";
  const documents = new Map(
    manifests.map((manifest, at) => [
      `/${manifest.name}`,
      () => ({
        name: manifest.name,
        "dist-tags": { latest: manifest.version },
        versions: {
          [manifest.version]: {
            ...manifest,
            dist: { tarball: `${url}/tarballs/${at}.tgz`, integrity: integrityOf(tarballs[at]!) },
          },
        },
      }),
    ]),
  );
  const server = createServer((request, response) => {
    const path = request.url!.split("?")[0]!;
    const document = documents.get(decodeURIComponent(path));
    const tarball = /^\/tarballs\/(\d+)\.tgz$/.exec(path);
    if (document !== undefined)
      response.setHeader("content-type", "application/json").end(JSON.stringify(document()));
    else if (tarball !== null) response.end(readFileSync(tarballs[Number(tarball[1])]!));
    else response.writeHead(302, { location: `${upstream}${request.url}` }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

async function manifestIn(tarball: string): Promise<Manifest> {
  const { stdout } = await run("tar", ["-xzOf", tarball, "package/package.json"]);
  return JSON.parse(stdout) as Manifest;
}

const integrityOf = (tarball: string): string =>
  `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
