import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy before the service that holds the answer to the first write back until it is let go. */
export async function holdingProxy(target: string) {
  let held: { release: () => void } | undefined;
  let isHeld: () => void = () => {};
  const holds = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const server = createServer((incoming, outgoing: ServerResponse) => {
    const onward = request(new URL(incoming.url!, target), {
      method: incoming.method!,
      headers: incoming.headers,
    });
    incoming.pipe(onward);
    onward.on("response", (answer) => {
      const pass = () => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      };
      if (incoming.method === "GET" || held !== undefined) return pass();
      held = { release: pass };
      isHeld();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    holds,
    release: () => held?.release(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
