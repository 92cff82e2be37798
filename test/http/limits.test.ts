import { gzipSync } from "node:zlib";
import { type ClientOptions, createClient } from "../../src/api";
import { createDispatcher } from "../../src/http/dispatcher";
import { exchange } from "../../src/http/transport";
import { failureOf } from "../api/support/failure-of";
import { type Behaviour, type FaultServer, json, startFaultServer } from "../api/support/fault-server";

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };

let server: FaultServer;
const client = (options: ClientOptions = {}) =>
  createClient({ baseUrl: server.baseUrl, token: "secret-token", env: {}, maxAttempts: 1, ...options });
afterEach(() => server.close());

/** Returns a behaviour that sends up to 64 MiB of spaces as fast as the client reads them, and then a JSON value. */
function pour(status: number, sent: Promise<number>[]): Behaviour {
  return (_, response) => {
    const { socket } = response;
    response.writeHead(status, JSON_TYPE);
    const chunk = Buffer.alloc(65_536, " ");
    const more = (): void => {
      while (socket!.bytesWritten < 64 * MEBIBYTE && !response.destroyed) {
        if (!response.write(chunk)) return void response.once("drain", more);
      }
      response.end('{"id":1}');
    };
    sent.push(new Promise((resolve) => socket!.once("close", () => resolve(socket!.bytesWritten))));
    more();
  };
}

describe("an endless response", () => {
  test("the client stops reading an endless response at max_answer_bytes", async () => {
    const sent: Promise<number>[] = [];
    server = await startFaultServer(pour(200, sent));
    const error = await failureOf(client({ maxAnswerBytes: MEBIBYTE }).projects.get(1));
    expect(error).toMatchObject({ code: "unexpected_answer" });
    expect(await sent[0]).toBeLessThan(17 * MEBIBYTE);
  });

  test("the error of an endless response with the status 400 has this status", async () => {
    const sent: Promise<number>[] = [];
    server = await startFaultServer(pour(400, sent));
    expect(await failureOf(client().projects.get(1))).toMatchObject({
      code: "bad_request",
      status: 400,
      serviceMessage: undefined,
    });
    expect(await sent[0]).toBeLessThan(17 * MEBIBYTE);
  });

  test("the client refuses a response with a large Content-Length before it reads the first byte", async () => {
    server = await startFaultServer((_, response) => {
      response.writeHead(200, { ...JSON_TYPE, "content-length": "99999999999" }).flushHeaders();
    });
    const error = await failureOf(client().projects.get(1));
    expect(error).toMatchObject({ code: "unexpected_answer" });
    expect(error.message).toContain("max_answer_bytes");
  });
});

describe("a compressed response", () => {
  test("the client never requests a compressed response", async () => {
    server = await startFaultServer(json(200, { id: 1, path_with_namespace: "a/b" }));
    await client().projects.get(1);
    expect(server.seen[0]!.headers["accept-encoding"]).toBe("identity");
  });

  test("the client refuses any compressed response, because its decompressed size is unknown", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * MEBIBYTE, " "));
    server = await startFaultServer((_, response) => {
      response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" }).end(bomb);
    });
    const error = await failureOf(client().projects.get(1));
    expect(error).toMatchObject({ code: "unexpected_answer" });
    expect(error.message).toContain("the response is compressed (gzip)");
  });

  test("the error of a compressed response with the status 403 has this status and no message", async () => {
    server = await startFaultServer((_, response) => {
      const head = { "content-type": "text/plain", "content-encoding": "gzip" };
      response.writeHead(403, head).end(gzipSync("no"));
    });
    expect(await failureOf(client().projects.get(1))).toMatchObject({
      code: "forbidden",
      serviceMessage: undefined,
    });
  });
});

describe("a silent service", () => {
  test.each<[string, Behaviour]>([
    ["before its response", () => undefined],
    ["within its response", (_, response) => void response.writeHead(200, JSON_TYPE).write("{")],
  ])(
    "a request to a silent service fails after the idle timeout, long before the request timeout (%s)",
    async (_, silent) => {
      server = await startFaultServer(silent);
      const dispatcher = createDispatcher({
        origin: server.baseUrl,
        ca: undefined,
        clientCertificate: undefined,
        clientKey: undefined,
        proxy: undefined,
        connections: 1,
        idleTimeout: 100,
      });
      const request = { origin: server.baseUrl, method: "GET", target: "/", headers: [], body: undefined };
      const limits = { timeout: 3_600_000, maxAnswerBytes: 1000, isBodyRead: true, signals: [] };
      await expect(exchange(dispatcher, request, limits)).rejects.toMatchObject({
        reason: "timeout",
        isSent: true,
        cause: { code: expect.stringMatching(/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/) },
      });
      await dispatcher.close();
    },
  );
});
