import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openPlace, type Place } from "../support/place";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

/** A proxy before the service that holds the answer to the first write back until it is let go. */
async function holdingProxy(target: string) {
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

test("SIGTERM in an apply finishes and saves what is under way, begins nothing more, and the next run goes on", async () => {
  const proxy = await holdingProxy(place.service.url);
  const args = ["apply", "--auto-approve", "--config", ".", "--parallelism", "1"];
  const run = place.start(args, { STEWARD_BASE_URL: proxy.url });
  await proxy.holds;
  run.child.kill("SIGTERM");
  await run.wrote("err", "Stopping: what is under way is finished and saved.");
  proxy.release();
  const { code, out } = await run.ended;
  proxy.close();
  expect(code).toBe(1);
  expect(out).toContain("Apply incomplete");
  const { resources } = JSON.parse(place.read("terraform.tfstate")) as { resources: { mode: string }[] };
  expect(resources.filter(({ mode }) => mode === "managed")).toHaveLength(1);

  expect((await place.run(["apply", "--auto-approve", "--config", "."])).code).toBe(0);
  expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
});
