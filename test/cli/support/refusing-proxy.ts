import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy before the service that refuses the first request: too many of them. */
export async function refusingProxy(target: string) {
  let hasRefused = false;
  const server = createServer((incoming, outgoing) => {
    if (!hasRefused) {
      hasRefused = true;
      outgoing.writeHead(429, { "retry-after": "2" }).end('{"message":"429 Too Many Requests"}');
      return;
    }
    const { method = "GET", headers } = incoming;
    const onward = request(new URL(incoming.url!, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
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
