import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { openPlace, type Place } from "../support/place";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** A proxy before the service that refuses the first request: too many of them. */
async function refusingProxy(target: string) {
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

test.each([
  ["a line on stderr", [], (out: string, err: string) => [err, out]],
  ["an event on stdout", ["--json"], (out: string, err: string) => [out, err]],
])("the wait for a rate limit is told as %s", async (_what, args, places) => {
  const proxy = await refusingProxy(place.service.url);
  const { code, out, err } = await place.run(["plan", "--config", ".", ...args], {
    STEWARD_BASE_URL: proxy.url,
  });
  proxy.close();
  expect(code).toBe(0);
  const [told, silent] = places(out, err);
  expect(told).toContain("Waiting 2s: the service refused a request.");
  expect(silent).not.toContain("Waiting");
});
