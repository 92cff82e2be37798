import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { block, FLAG, Http2Server, KIND, request } from "../support/http2-server";
import { frame, setting, uint32 } from "../support/raw-http2";

// What RFC 9113 forbids a client. Numbers of sections are its.

const {
  DATA,
  HEADERS,
  PRIORITY,
  RST_STREAM,
  SETTINGS,
  PUSH_PROMISE,
  PING,
  GOAWAY,
  WINDOW_UPDATE,
  CONTINUATION,
} = KIND;

let server: Http2Server;
beforeEach(() => {
  server = new Http2Server();
});
afterEach(() => server.end());

test("3.4: who speaks another language is told so, and hung up on", async () => {
  const client = await server.client();
  client.send(Buffer.from("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"));
  expect((await client.nextOf(GOAWAY)).payload).toEqual(Buffer.concat([uint32(0), uint32(1)]));
  await client.closed;
  expect(server.broken).toEqual(["the client does not speak HTTP/2"]);
});

const LARGE = 16_385;
test.each<[string, number, readonly Buffer[]]>([
  ["4.2: a frame that is too large", 6, [frame(DATA, 0, 1, Buffer.alloc(LARGE))]],
  ["5.1: a body of a stream that never began", 1, [frame(DATA, 0, 1)]],
  ["5.1: a reset of a stream that never began", 1, [frame(RST_STREAM, 0, 1, uint32(8))]],
  ["5.1: a window of a stream that never began", 1, [frame(WINDOW_UPDATE, 0, 1, uint32(8))]],
  ["5.1: more of a request that was whole", 5, [request(1, "/later"), frame(DATA, 0, 1)]],
  ["5.1.1: a stream with a server's number", 1, [request(2, "/1")]],
  ["6.1: a body without a stream", 1, [frame(DATA, 0, 0)]],
  [
    "6.1: more padding than there is",
    1,
    [request(1, "/later", FLAG.END_HEADERS), frame(DATA, FLAG.PADDED, 1, Buffer.of(1))],
  ],
  ["6.1: no room for the padding", 1, [request(1, "/later", FLAG.END_HEADERS), frame(DATA, FLAG.PADDED, 1)]],
  [
    "6.2: no room for the priority",
    6,
    [frame(HEADERS, FLAG.END_HEADERS | FLAG.PRIORITY, 1, Buffer.alloc(4))],
  ],
  ["6.2: headers without a stream", 1, [request(0, "/1")]],
  [
    "6.2: another frame between headers",
    1,
    [frame(HEADERS, 0, 1, block("/1")), frame(PING, 0, 0, Buffer.alloc(8))],
  ],
  ["6.3: a priority of a wrong length", 6, [frame(PRIORITY, 0, 1, Buffer.alloc(4))]],
  ["6.4: a reset of a wrong length", 6, [request(1, "/later"), frame(RST_STREAM, 0, 1, Buffer.alloc(5))]],
  ["6.5: settings of a stream", 1, [frame(SETTINGS, 0, 1)]],
  ["6.5: half a setting", 6, [frame(SETTINGS, 0, 0, Buffer.alloc(3))]],
  ["6.5.2: a window that is too large", 3, [frame(SETTINGS, 0, 0, setting(4, 2 ** 31))]],
  ["6.5.2: frames smaller than may be", 1, [frame(SETTINGS, 0, 0, setting(5, 16_383))]],
  ["6.5.2: frames larger than may be", 1, [frame(SETTINGS, 0, 0, setting(5, 2 ** 24))]],
  ["6.6: a push", 1, [request(1, "/later"), frame(PUSH_PROMISE, 0, 1, uint32(2))]],
  ["6.7: a ping of a wrong length", 6, [frame(PING, 0, 0, Buffer.alloc(7))]],
  ["6.7: a ping of a stream", 1, [frame(PING, 0, 1, Buffer.alloc(8))]],
  ["6.9: a window that grows by nothing", 1, [frame(WINDOW_UPDATE, 0, 0, uint32(0))]],
  ["6.9.1: a window that grows too large", 3, [frame(WINDOW_UPDATE, 0, 0, uint32(2 ** 31 - 1))]],
  ["6.10: headers that go on without a begin", 1, [frame(CONTINUATION, FLAG.END_HEADERS, 1)]],
  ["6.10: headers that go on in another stream", 1, [frame(HEADERS, 0, 1), frame(CONTINUATION, 0, 3)]],
  [
    "8.1: headers within a body",
    1,
    [request(1, "/later", FLAG.END_HEADERS), request(1, "/later", FLAG.END_HEADERS)],
  ],
  ["10.5.1: headers without an end", 11, headersWithoutEnd()],
  ["4.3: headers that can't be read", 9, [frame(HEADERS, FLAG.END_HEADERS, 1, Buffer.of(0x80))]],
])("%s ends the connection, and the client is told why", async (_, code, breach) => {
  const client = await server.greeted();
  client.send(...breach);
  const { payload } = await client.nextOf(GOAWAY);
  expect(payload.readUInt32BE(4)).toBe(code);
  await client.closed;
  expect(server.broken).toHaveLength(1);
});

test("whatever frames come in, the client is answered or told why not, and the process lives", async () => {
  const sent = fc.record({
    kind: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constant(HEADERS), fc.constant(DATA)),
    flags: fc.integer({ min: 0, max: 255 }),
    stream: fc.integer({ min: 0, max: 5 }),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom(block("/later"), block("/20"), uint32(1)),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { maxLength: 12 }), async (frames) => {
      const client = await server.greeted();
      client.send(...frames.map(({ kind, flags, stream, payload }) => frame(kind, flags, stream, payload)));
      const ending: ReadonlySet<number> = new Set([PING, GOAWAY]);
      client.send(frame(PING, 0, 0, Buffer.from("answered")));
      let { kind } = await client.next();
      while (!ending.has(kind)) kind = (await client.next()).kind;
      server.end();
    }),
    { numRuns: runs(50, 1000), seed },
  );
});

function headersWithoutEnd(): Buffer[] {
  const part = Buffer.alloc(16_384);
  return [frame(HEADERS, 0, 1), ...Array.from({ length: 65 }, () => frame(CONTINUATION, 0, 1, part))];
}
