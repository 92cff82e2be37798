import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { HttpBackend } from "../../src/state/backends/http-backend";
import { formatState } from "../../src/state/format/format-state";
import { emptyState } from "../../src/state/model/model";
import { type HttpBackendBlock, httpBackendConfig } from "../../src/state/storage/http-config";
import { diagnosticOf } from "./scratch";

const MEBIBYTE = 1024 * 1024;
/**
 * The number of bytes after which an "endless" response ends. A client without a limit then fails the test before the memory
 * is full.
 */
const END = 64 * MEBIBYTE;

let server: Server;
let requests: string[];

async function serve(answer: RequestListener): Promise<void> {
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.method!);
    request.resume();
    request.on("end", () => answer(request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const backend = (env: Record<string, string>, block: HttpBackendBlock = {}): HttpBackend => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`;
  const lock = { lock_address: `${address}/lock`, unlock_address: `${address}/lock` };
  return new HttpBackend(httpBackendConfig({ address, ...lock, retry_wait_min: 0, ...block }, env));
};

/** Sends bytes as fast as the client reads them. Returns the number of bytes when the connection has closed. */
function pour(response: ServerResponse): Promise<number> {
  const chunk = Buffer.alloc(65_536, "[");
  const { socket } = response;
  const more = (): void => {
    while (socket!.bytesWritten < END && !response.destroyed) {
      if (!response.write(chunk)) return void response.once("drain", more);
    }
    response.end();
  };
  more();
  return new Promise((resolve) => socket!.once("close", () => resolve(socket!.bytesWritten)));
}

/** Sends one byte every few milliseconds, until the client closes the connection. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 5);
  response.on("close", () => clearInterval(timer));
}

describe("an endless response", () => {
  test("if the response is longer than STEWARD_STATE_MAX_BYTES, reading a state stops with an error", async () => {
    const poured: Promise<number>[] = [];
    await serve((_, response) => poured.push(pour(response.writeHead(200))));
    const limit = 2 * MEBIBYTE;
    const { code, detail } = await diagnosticOf(() =>
      backend({ STEWARD_STATE_MAX_BYTES: `${limit}` }).read(),
    );
    expect(code).toBe("state_http_too_large");
    expect(detail).toContain("STEWARD_STATE_MAX_BYTES");
    expect(requests).toEqual(["GET"]);
    // The server has sent more than the limit, because the buffers of both sockets were full when the client stopped reading.
    expect(await poured[0]!).toBeLessThan(limit + 16 * MEBIBYTE);
  });

  test("if a response with an error status is endless, the error contains the status", async () => {
    const poured: Promise<number>[] = [];
    let status = 500;
    await serve((_, response) => poured.push(pour(response.writeHead(status))));
    const site = backend({}, { retry_max: 0 });
    expect(await diagnosticOf(() => site.read())).toMatchObject({
      code: "state_http_failed",
      detail: expect.stringContaining("status 500"),
    });
    status = 423;
    const { code, detail } = await diagnosticOf(() => site.lock({ operation: "plan" }));
    expect(code).toBe("state_locked");
    expect(detail).toContain("an unknown process (the lock is unreadable)");
    for (const bytes of await Promise.all(poured)) expect(bytes).toBeLessThan(16 * MEBIBYTE);
  });

  test("lock, write and unlock succeed even if the bodies of their responses with status 200 never end", async () => {
    const poured: Promise<number>[] = [];
    await serve(({ method }, response) => {
      if (method === "GET") response.writeHead(404).end();
      else poured.push(pour(response.writeHead(200)));
    });
    const site = backend({});
    const unlock = await site.lock({ operation: "apply" });
    await site.write(emptyState());
    await unlock();
    expect(requests).toEqual(["LOCK", "GET", "POST", "UNLOCK"]);
    for (const bytes of await Promise.all(poured)) expect(bytes).toBeLessThan(16 * MEBIBYTE);
  });

  test("if Content-Length exceeds the maximum size of a state, reading fails before the body arrives", async () => {
    await serve((_, response) => {
      response.writeHead(200, { "content-length": "600000000" }).flushHeaders();
    });
    expect(await diagnosticOf(() => backend({}).read())).toMatchObject({
      code: "state_http_too_large",
      detail: expect.stringContaining("512000000 bytes"),
    });
  });

  test.each([
    ["reading", (site: HttpBackend) => site.read()],
    ["writing", (site: HttpBackend) => site.write(emptyState())],
    ["locking", (site: HttpBackend) => site.lock({ operation: "apply" })],
    ["unlocking", (site: HttpBackend) => site.unlock("abc")],
    ["the journal", (site: HttpBackend) => site.journal.read()],
  ])("if a response arrives slowly and never ends, %s stops after STEWARD_STATE_TIMEOUT", async (_, work) => {
    await serve((_request, response) => drip(response.writeHead(200)));
    const { code, detail } = await diagnosticOf(() => work(backend({ STEWARD_STATE_TIMEOUT: "0.3" })));
    expect(code).toBe("state_http_timeout");
    expect(detail).toContain("0.3 seconds");
    expect(detail).toContain("STEWARD_STATE_TIMEOUT");
  });

  test("if the header of a response never ends, reading a state stops after STEWARD_STATE_TIMEOUT", async () => {
    await serve((request) => {
      const timer = setInterval(() => request.socket.write("H"), 5);
      request.socket.write("HTTP/1.1 200 OK\r\nX: ").valueOf();
      request.socket.on("close", () => clearInterval(timer));
    });
    const work = () => backend({ STEWARD_STATE_TIMEOUT: "0.3" }).read();
    expect((await diagnosticOf(work)).code).toBe("state_http_timeout");
  });
});

test("if a write times out, the error says that the write may have been executed", async () => {
  await serve(({ method }, response) => {
    if (method === "GET") response.writeHead(404).end();
  });
  const work = () => backend({ STEWARD_STATE_TIMEOUT: "0.3" }).write(emptyState());
  expect(await diagnosticOf(work)).toMatchObject({
    code: "state_http_timeout",
    detail: expect.stringContaining("may have been executed"),
  });
});

test("if the response is compressed, reading a state fails", async () => {
  const state = formatState(emptyState());
  const asked: unknown[] = [];
  await serve(({ headers }, response) => {
    asked.push(headers["accept-encoding"]);
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(state));
  });
  expect(await diagnosticOf(() => backend({}).read())).toMatchObject({
    code: "state_http_failed",
    detail: expect.stringContaining("gzip"),
  });
  expect(asked).toEqual(["identity"]);
});

describe("a storage that sends Retry-After", () => {
  test("the backend repeats a request after the wait in Retry-After", async () => {
    const state = formatState(emptyState());
    await serve((_, response) => {
      if (requests.length === 1) response.writeHead(429, { "retry-after": "0" }).end();
      else if (requests.length === 2) response.writeHead(503, { "retry-after": "0" }).end();
      else response.end(state);
    });
    // Without Retry-After, the backend would pause for an hour, and the test would time out.
    await backend({}, { retry_wait_min: 3600, retry_wait_max: 3600 }).read();
    expect(requests).toHaveLength(3);
  });

  test.each([429, 503])(
    "if status %i comes with a Retry-After above STEWARD_STATE_TIMEOUT, the backend fails at once",
    async (status) => {
      await serve((_, response) => void response.writeHead(status, { "retry-after": "299" }).end());
      const { code, detail } = await diagnosticOf(() => backend({ STEWARD_STATE_TIMEOUT: "200" }).read());
      expect(code).toBe("state_http_failed");
      expect(detail).toContain("asks to wait 5 minutes");
      expect(requests).toHaveLength(1);
    },
  );

  test("the backend repeats a request at most retry_max times", async () => {
    await serve((_, response) => void response.writeHead(503, { "retry-after": "0" }).end());
    await diagnosticOf(() => backend({}, { retry_max: 3 }).read());
    expect(requests).toHaveLength(4);
  });
});
