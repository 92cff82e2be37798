import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A project or group that a token can't see. */
export interface Hidden {
  readonly kind: "project" | "group";
  readonly id: number;
}

/** A proxy before the service that hides some projects and groups: their own addresses are 404, and lists leave them out. */
export async function hidingProxy(target: string, hidden: readonly Hidden[]) {
  const isHidden = (url: string) =>
    hidden.some(({ kind, id }) => new RegExp(`/${kind}s/${id}(?:$|[/?])`).test(url));
  const idsIn = (url: string) => {
    const kind = /\/groups_allowlist/.test(url) ? "group" : "project";
    return new Set(hidden.filter((one) => one.kind === kind).map(({ id }) => id));
  };
  const server = createServer((incoming, outgoing) => {
    const { method = "GET", headers, url = "" } = incoming;
    if (isHidden(url)) {
      incoming.resume();
      outgoing.writeHead(404, { "content-type": "application/json" }).end('{"message":"404 Not Found"}');
      return;
    }
    const onward = request(new URL(url, target), { method, headers }, async (answer) => {
      const isList = method === "GET" && /allowlist(?:$|\?)/.test(url) && answer.statusCode === 200;
      if (!isList) {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
        return;
      }
      const ids = idsIn(url);
      const records = JSON.parse(await textOf(answer)) as readonly { readonly id: number }[];
      const shown = records.filter(({ id }) => !ids.has(id));
      const left = records.length - shown.length;
      const total = String(Number(answer.headers["x-total"]) - left);
      const { "content-length": _, ...others } = answer.headers;
      outgoing.writeHead(200, { ...others, "x-total": total }).end(JSON.stringify(shown));
    });
    incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk;
  return text;
}
