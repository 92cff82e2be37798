import type { Socket } from "node:net";
import { Http2Connection } from "../../../../src/plugin/transport/http2/connection";
import { encodeHeaders } from "../../../../src/plugin/transport/http2/hpack";
import type { Stream } from "../../../../src/plugin/transport/http2/stream";
import { listen } from "../../../../src/plugin/transport/socket";
import { type Frame, frame, PREFACE, RawClient, setting, uint32 } from "../../support/raw-http2";

// RFC 9113 from the client's side, frame by frame. Numbers of sections are its.

const [
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
] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const [END_STREAM, END_HEADERS, PADDED, WITH_PRIORITY] = [1, 4, 8, 0x20];
const ACK = 1;

/** Answers a request to `/N` with N bytes, any other when it is told to. */
class Server {
  readonly #endings: (() => void)[] = [];
  readonly asked: { readonly path: string; readonly stream: Stream; body: string; isWhole: boolean }[] = [];
  readonly broken: string[] = [];
  connection!: Http2Connection;

  /** A client that has not said anything yet. */
  async client(): Promise<RawClient> {
    const socket = await listen((connected) => this.#serve(connected));
    const client = new RawClient(socket.path);
    this.#endings.push(() => {
      client.hangUp();
      socket.close();
    });
    return client;
  }

  #serve(socket: Socket): void {
    this.connection = new Http2Connection(socket, {
      onRequest: (headers, stream) => {
        const request = { path: headers.get(":path")!, stream, body: "", isWhole: false };
        this.asked.push(request);
        const length = Number(request.path.slice(1));
        if (Number.isInteger(length)) answer(stream, Buffer.alloc(length, "x"));
        return {
          data: (piece) => {
            request.body += piece;
          },
          end: () => {
            request.isWhole = true;
          },
        };
      },
      onBroken: ({ message }) => this.broken.push(message),
    });
  }

  end(): void {
    for (const end of this.#endings.splice(0)) end();
  }
}

const RESPONSE = encodeHeaders({ ":status": "200" });
const TRAILERS = encodeHeaders({ done: "yes" });
const answer = (stream: Stream, body: Buffer) =>
  stream.answer({ headers: RESPONSE, body, trailers: TRAILERS });

const block = (path: string): Buffer => encodeHeaders({ ":method": "POST", ":path": path });
const request = (stream: number, path: string, flags = END_HEADERS | END_STREAM): Buffer =>
  frame(HEADERS, flags, stream, block(path));

/** What frames say, in short. */
const NAMES = [
  "data",
  "headers",
  "priority",
  "reset",
  "settings",
  "push",
  "ping",
  "go away",
  "window",
  "continuation",
];
const told = (frames: readonly Frame[]): string[] =>
  frames.map(({ kind, flags, stream, payload }) => {
    const last = kind <= HEADERS && (flags & END_STREAM) !== 0 ? ", last" : "";
    return `${stream}: ${NAMES[kind]}${kind === DATA ? ` ${payload.length}` : ""}${last}`;
  });

let server: Server;
beforeEach(() => {
  server = new Server();
});
afterEach(() => server.end());

/** A client that has heard all that the server says at first. */
async function greeted(...settings: readonly Buffer[]): Promise<RawClient> {
  const client = await server.client();
  client.send(PREFACE, frame(SETTINGS, 0, 0, Buffer.concat(settings)));
  await client.untilPing();
  return client;
}

test("6.5, 6.9: the server begins with its settings: the client may send as much as there can be", async () => {
  const client = await server.client();
  client.send(PREFACE, frame(SETTINGS, 0, 0));
  expect(await client.next()).toEqual({
    kind: SETTINGS,
    flags: 0,
    stream: 0,
    payload: setting(4, 2 ** 31 - 1),
  });
  expect(await client.next()).toEqual({
    kind: WINDOW_UPDATE,
    flags: 0,
    stream: 0,
    payload: uint32(2 ** 31 - 1 - 65_535),
  });
  expect(await client.next()).toEqual({ kind: SETTINGS, flags: ACK, stream: 0, payload: Buffer.alloc(0) });
});

test("8.1: an answer is headers, a body, and trailers that end it", async () => {
  const client = await greeted();
  client.send(request(1, "/5"));
  const frames = await client.untilPing();
  expect(told(frames)).toEqual(["1: headers", "1: data 5", "1: headers, last"]);
  expect(frames.map(({ payload }) => payload)).toEqual([RESPONSE, Buffer.from("xxxxx"), TRAILERS]);
});

test("8.1: an answer may be headers alone", async () => {
  const client = await greeted();
  client.send(request(1, "/later"));
  await client.untilPing();
  server.asked[0]!.stream.answer({ headers: RESPONSE });
  expect(told(await client.untilPing())).toEqual(["1: headers, last"]);
});

test("8.1: of a request that was answered before it was whole, the rest is not wanted", async () => {
  const client = await greeted();
  client.send(request(1, "/0", END_HEADERS));
  const frames = await client.untilPing();
  expect(told(frames)).toEqual(["1: headers", "1: headers, last", "1: reset"]);
  expect(frames.at(-1)?.payload).toEqual(uint32(0));
  client.send(frame(DATA, END_STREAM, 1, Buffer.from("too late")), request(3, "/0"));
  expect(told(await client.untilPing())).toEqual(["3: headers", "3: headers, last"]);
});

test("a body comes in as many frames as it likes, the last of which may be empty", async () => {
  const client = await greeted();
  client.send(request(1, "/later", END_HEADERS), frame(DATA, 0, 1, Buffer.from("a ")));
  client.send(frame(DATA, 0, 1, Buffer.from("body")), frame(DATA, END_STREAM, 1));
  await client.untilPing();
  expect(server.asked).toMatchObject([{ body: "a body", isWhole: true }]);
});

test("8.1: trailers may end a request, too", async () => {
  const client = await greeted();
  client.send(request(1, "/later", END_HEADERS), frame(HEADERS, END_HEADERS | END_STREAM, 1, TRAILERS));
  await client.untilPing();
  expect(server.asked).toMatchObject([{ path: "/later", isWhole: true }]);
});

test("6.1, 6.2: padding and priority are left out", async () => {
  const client = await greeted();
  const padded = (content: Buffer) => Buffer.concat([Buffer.of(3), content, Buffer.alloc(3)]);
  const priority = Buffer.from([0, 0, 0, 0, 16]);
  client.send(
    frame(
      HEADERS,
      END_HEADERS | PADDED | WITH_PRIORITY,
      1,
      padded(Buffer.concat([priority, block("/later")])),
    ),
    frame(DATA, PADDED, 1, padded(Buffer.from("body"))),
    frame(DATA, PADDED | END_STREAM, 1, padded(Buffer.alloc(0))),
  );
  await client.untilPing();
  expect(server.asked).toMatchObject([{ path: "/later", body: "body", isWhole: true }]);
});

test("6.10: headers go on in as many frames as they like", async () => {
  const client = await greeted();
  const bytes = [...block("/later")].map((byte) => Buffer.of(byte));
  client.send(frame(HEADERS, END_STREAM, 1), ...bytes.map((byte) => frame(CONTINUATION, 0, 1, byte)));
  client.send(frame(CONTINUATION, END_HEADERS, 1));
  await client.untilPing();
  expect(server.asked).toMatchObject([{ path: "/later", isWhole: true }]);
});

test("4.3: headers that nobody waits for are read all the same, as later ones refer to them", async () => {
  const client = await greeted();
  const remembered = Buffer.concat([Buffer.of(0x40), encodeHeaders({ ":path": "/7" }).subarray(1)]);
  client.send(request(1, "/0"), frame(HEADERS, END_HEADERS | END_STREAM, 1, remembered));
  client.send(frame(HEADERS, END_HEADERS | END_STREAM, 3, Buffer.of(0x80 | 62)));
  expect(told(await client.untilPing()).slice(-2)).toEqual(["3: data 7", "3: headers, last"]);
});

test("6.7: a ping comes back as it was, and the answer to one is not answered", async () => {
  const client = await greeted();
  client.send(frame(PING, ACK, 0, Buffer.from("an echo.")), frame(PING, 0, 0, Buffer.from("12345678")));
  expect(await client.next()).toEqual({
    kind: PING,
    flags: ACK,
    stream: 0,
    payload: Buffer.from("12345678"),
  });
});

test("5.3, 5.5, 6.8: what changes nothing is passed over", async () => {
  const client = await greeted();
  client.send(
    frame(PRIORITY, 0, 1, Buffer.alloc(5)),
    frame(0xfe, 0xff, 12, Buffer.from("a kind that may be invented yet")),
    frame(SETTINGS, 0, 0, Buffer.concat([setting(0xfe, 7), setting(3, 0), setting(2, 0)])),
    frame(GOAWAY, 0, 0, Buffer.alloc(8)),
    request(1, "/1"),
  );
  expect(told(await client.untilPing())).toEqual([
    "0: settings",
    "1: headers",
    "1: data 1",
    "1: headers, last",
  ]);
});

describe("5.2, 6.9: no more is sent than the client takes", () => {
  test("of a stream; the settings say how much at first", async () => {
    const client = await greeted(setting(4, 10));
    client.send(request(1, "/25"));
    expect(told(await client.untilPing())).toEqual(["1: headers", "1: data 10"]);
    client.send(frame(WINDOW_UPDATE, 0, 1, uint32(4)));
    expect(told(await client.untilPing())).toEqual(["1: data 4"]);
    client.send(frame(WINDOW_UPDATE, 0, 1, uint32(100)));
    expect(told(await client.untilPing())).toEqual(["1: data 11", "1: headers, last"]);
  });

  test("of all streams together, and one that waits keeps no other one back", async () => {
    const client = await greeted(setting(4, 60_000));
    client.send(request(1, "/60001"), request(3, "/6000"));
    const sent = await client.untilPing();
    const lengths = (id: number) =>
      sent.filter(({ kind, stream }) => kind === DATA && stream === id).map(({ payload }) => payload.length);
    expect(lengths(1)).toEqual([16_384, 16_384, 16_384, 10_848]);
    expect(lengths(3)).toEqual([5_535]);
    client.send(frame(WINDOW_UPDATE, 0, 0, uint32(1000)));
    expect(told(await client.untilPing())).toEqual(["3: data 465", "3: headers, last"]);
    client.send(frame(WINDOW_UPDATE, 0, 1, uint32(1)));
    expect(told(await client.untilPing())).toEqual(["1: data 1", "1: headers, last"]);
  });

  test("a window may become negative by new settings, which hold for open streams, too", async () => {
    const client = await greeted(setting(4, 10));
    client.send(request(1, "/30"));
    await client.untilPing();
    client.send(frame(SETTINGS, 0, 0, setting(4, 5)), frame(WINDOW_UPDATE, 0, 1, uint32(5)));
    expect(told(await client.untilPing())).toEqual(["0: settings"]);
    client.send(frame(SETTINGS, 0, 0, setting(4, 8)));
    expect(told(await client.untilPing())).toEqual(["1: data 3", "0: settings"]);
  });

  test("an empty body needs no window", async () => {
    const client = await greeted(setting(4, 0));
    client.send(request(1, "/0"), request(3, "/1"));
    expect(told(await client.untilPing())).toEqual(["1: headers", "1: headers, last", "3: headers"]);
  });

  test("frames are as large as the client says", async () => {
    const client = await greeted(setting(5, 20_000));
    client.send(request(1, "/30000"));
    expect(told(await client.untilPing())).toEqual([
      "1: headers",
      "1: data 20000",
      "1: data 10000",
      "1: headers, last",
    ]);
  });
});

test("6.4: who gives up gets no more of the answer, and none that is made later", async () => {
  const client = await greeted(setting(4, 10));
  client.send(request(1, "/20"), request(3, "/later"), request(5, "/3"));
  await client.untilPing();
  client.send(frame(RST_STREAM, 0, 1, uint32(8)), frame(RST_STREAM, 0, 3, uint32(8)));
  client.send(frame(WINDOW_UPDATE, 0, 1, uint32(100)), frame(RST_STREAM, 0, 5, uint32(8)));
  expect(await client.untilPing()).toEqual([]);
  answer(server.asked[1]!.stream, Buffer.alloc(1));
  expect(await client.untilPing()).toEqual([]);
});

test("the end: what was answered is sent, and which request was the last that was looked at", async () => {
  const client = await greeted();
  client.send(request(1, "/later"), request(3, "/later"));
  await client.untilPing();
  answer(server.asked[0]!.stream, Buffer.alloc(1));
  server.connection.end();
  const frames = [await client.next(), await client.next(), await client.next(), await client.next()];
  expect(told(frames)).toEqual(["1: headers", "1: data 1", "1: headers, last", "0: go away"]);
  expect(frames[3]?.payload).toEqual(Buffer.concat([uint32(3), uint32(0)]));
  await client.closed;
  answer(server.asked[1]!.stream, Buffer.alloc(1));
});

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
    [request(1, "/later", END_HEADERS), frame(DATA, PADDED, 1, Buffer.of(1))],
  ],
  ["6.1: no room for the padding", 1, [request(1, "/later", END_HEADERS), frame(DATA, PADDED, 1)]],
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
  ["6.10: headers that go on without a begin", 1, [frame(CONTINUATION, END_HEADERS, 1)]],
  ["6.10: headers that go on in another stream", 1, [frame(HEADERS, 0, 1), frame(CONTINUATION, 0, 3)]],
  ["8.1: headers within a body", 1, [request(1, "/later", END_HEADERS), request(1, "/later", END_HEADERS)]],
  ["10.5.1: headers without an end", 11, headersWithoutEnd()],
  ["4.3: headers that can't be read", 9, [frame(HEADERS, END_HEADERS, 1, Buffer.of(0x80))]],
])("%s ends the connection, and the client is told why", async (_, code, breach) => {
  const client = await greeted();
  client.send(...breach);
  const { payload } = await client.nextOf(GOAWAY);
  expect(payload.readUInt32BE(4)).toBe(code);
  await client.closed;
  expect(server.broken).toHaveLength(1);
});

function headersWithoutEnd(): Buffer[] {
  const part = Buffer.alloc(16_384);
  return [frame(HEADERS, 0, 1), ...Array.from({ length: 65 }, () => frame(CONTINUATION, 0, 1, part))];
}
