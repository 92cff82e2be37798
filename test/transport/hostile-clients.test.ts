import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import type { Procedure } from "../../src/transport/call";
import { runs, seed } from "../support/capabilities";
import { call, ECHO, EchoServer, type More, SILENT } from "./support/echo-server";
import {
  begin,
  FLAG,
  frame,
  grpcBlock,
  headerBlock,
  KIND,
  message,
  RawClient,
  setting,
  uint32,
} from "./support/raw-http2";

// The tests check the limits of a connection: what happens to a client that exceeds them. At the end of each test, a second
// client behaves well and must not be affected.

const { DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION } = KIND;
const MIB = 2 ** 20;

let server: EchoServer;
const serve = async (more: More = {}): Promise<RawClient> => {
  server = await EchoServer.start(more);
  return connected();
};
const connected = (...settings: readonly Buffer[]): RawClient => {
  const client = new RawClient(server.path);
  server.endsWith(() => client.hangUp());
  client.greet(...settings);
  return client;
};
afterEach(async () => {
  expect(await call(server.client(), ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  server.end();
});

/** Returns all bytes of a unary call. */
const asked = (stream: number, path: string, content: Uint8Array = Buffer.of(1)): Buffer =>
  Buffer.concat([begin(stream, path), frame(DATA, FLAG.END_STREAM, stream, message(content))]);

/** Sends the bytes up to `times` times. Returns true as soon as the server closes the connection. */
async function flood(client: RawClient, bytes: Buffer, times: number): Promise<boolean> {
  for (let count = 0; count < times; count += 1) if (!(await client.sent(bytes))) return true;
  await client.closed;
  return true;
}

test("the server closes a connection that sends endless CONTINUATION frames with headers (CVE-2024-27316)", async () => {
  const client = await serve();
  client.send(frame(HEADERS, FLAG.END_STREAM, 1, headerBlock({ ":method": "POST" })));
  await flood(client, frame(CONTINUATION, 0, 1, headerBlock({ "x-more": "x".repeat(100) })), 100_000);
  expect(server.logged).toMatchObject([["error", "the HTTP/2 session failed", {}]]);
});

test("the server closes a connection that sends endless empty CONTINUATION frames", async () => {
  const client = await serve();
  client.send(frame(HEADERS, FLAG.END_STREAM, 1, headerBlock({ ":method": "POST" })));
  await flood(client, frame(CONTINUATION, 0, 1), 100_000);
});

test("the server accepts a call whose headers are split into two HTTP/2 frames", async () => {
  const client = await serve();
  const block = grpcBlock(ECHO);
  client.send(
    frame(HEADERS, 0, 1, block.subarray(0, 20)),
    frame(CONTINUATION, FLAG.END_HEADERS, 1, block.subarray(20)),
    frame(DATA, FLAG.END_STREAM, 1, message(Buffer.from("x"))),
  );
  expect((await client.nextOf(DATA)).payload).toEqual(message(Buffer.from("x")));
});

test("the server refuses a call with headers of more than 16 KiB", async () => {
  const client = await serve();
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, "x".repeat(200)]));
  const block = Buffer.concat([grpcBlock(ECHO), headerBlock(many)]);
  client.send(
    frame(HEADERS, FLAG.END_STREAM, 1, block.subarray(0, 16_000)),
    frame(CONTINUATION, FLAG.END_HEADERS, 1, block.subarray(16_000)),
    asked(3, ECHO),
  );
  expect(await client.nextOf(RST_STREAM)).toMatchObject({ stream: 1, payload: uint32(11) });
  expect((await client.nextOf(DATA)).stream).toBe(3);
});

test("the server closes a connection that opens more than 250 streams", async () => {
  const client = await serve();
  const { payload } = await client.nextOf(SETTINGS);
  expect(payload.includes(setting(3, 250))).toBe(true);
  await client.untilPing();
  for (let stream = 1; stream <= 501; stream += 2) client.send(begin(stream, SILENT));
  expect((await client.nextOf(GOAWAY)).payload.readUInt32BE(4)).not.toBe(0);
});

test("the server closes a connection that opens and resets endless streams (CVE-2023-44487)", async () => {
  const waiting = new Set<AbortSignal>();
  const client = await serve({
    "/test.Echo/Wait": async (request, { signal }) => {
      waiting.add(signal);
      await once(signal, "abort");
      waiting.delete(signal);
      return request;
    },
  });
  let stream = 1;
  const next = (): Buffer => {
    const bytes = [asked(stream, "/test.Echo/Wait"), frame(RST_STREAM, 0, stream, uint32(8))];
    stream += 2;
    return Buffer.concat(bytes);
  };
  while (await client.sent(next()));
  await Promise.all(server.connections.map((connection) => connection.settled()));
  expect(waiting.size).toBe(0);
  expect(server.logged).toContainEqual(["error", "the HTTP/2 session failed", expect.anything()]);
});

test("the server refuses a message as soon as its announced length exceeds 256 MiB", async () => {
  const client = await serve();
  client.send(begin(1, ECHO), frame(DATA, 0, 1, message(Buffer.alloc(10), 256 * MIB + 1)));
  expect((await client.nextOf(HEADERS)).flags & FLAG.END_STREAM).toBe(FLAG.END_STREAM);
  expect(await client.nextOf(RST_STREAM)).toMatchObject({ stream: 1, payload: uint32(0) });
});

test.each<[string, Buffer]>([
  ["pings", frame(PING, 0, 0, Buffer.alloc(8))],
  ["settings", frame(SETTINGS, 0, 0, setting(4, 70_000))],
])(
  "the server closes a connection that sends endless %s and does not read the responses",
  async (_, bytes) => {
    const client = await serve();
    client.pause();
    const many = Buffer.concat(Array.from({ length: 1000 }, () => bytes));
    while (await client.sent(many));
  },
);

test("while the client's window is full, the server suspends the procedure", async () => {
  let given = 0;
  const endless: Procedure = {
    kind: "server-streaming",
    async *answer() {
      for (;;) {
        given += 1;
        yield Buffer.alloc(1000);
      }
    },
  };
  const client = await serve({ "/test.Echo/Endless": endless });
  client.send(asked(1, "/test.Echo/Endless"));
  for (
    let frames = await client.untilPing(), before = -1;
    before !== given;
    frames = await client.untilPing()
  ) {
    expect(frames).toBeDefined();
    before = given;
  }
  // The server may produce only responses for the window of 64 KiB, and a few waiting responses.
  expect(given).toBeLessThan(200);
  client.send(frame(WINDOW_UPDATE, 0, 0, uint32(MIB)), frame(WINDOW_UPDATE, 0, 1, uint32(MIB)));
  await client.nextOf(DATA);
  const before = given;
  await client.untilPing();
  expect(given).toBeGreaterThan(before);
});

test("the server closes the connection of a client that uses HTTP/1.1", async () => {
  const client = await serve();
  client.hangUp();
  const other = connect(server.path);
  other.on("error", () => undefined);
  other.resume();
  other.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  await once(other, "close");
});

test("after random frames, the server responds to a ping or closes the connection", async () => {
  (await serve()).hangUp();
  const sent = fc.record({
    kind: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constant(HEADERS), fc.constant(DATA)),
    flags: fc.integer({ min: 0, max: 255 }),
    stream: fc.integer({ min: 0, max: 5 }),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom(grpcBlock(ECHO), grpcBlock(SILENT), message(Buffer.of(1)), uint32(1)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 12 }), async (frames) => {
      const client = connected();
      client.send(...frames.map(({ kind, flags, stream, payload }) => frame(kind, flags, stream, payload)));
      client.send(frame(PING, 0, 0, Buffer.from("answered")));
      const ending: ReadonlySet<number> = new Set([PING, GOAWAY]);
      while (!ending.has((await client.next().catch(() => ({ kind: GOAWAY }))).kind));
      client.hangUp();
    }),
    { numRuns: runs(50, 1000), seed },
  );
});
