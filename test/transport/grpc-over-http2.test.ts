import { EventEmitter, once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect as connectSocket } from "node:net";
import fc from "fast-check";
import { runs, seed } from "../support/capabilities";
import { call, ECHO, EchoServer, type More } from "./support/echo-server";

// The tests use Node's own HTTP/2 client to send requests that a gRPC client would never send.

let server: EchoServer;
const serve = async (more: More = {}): Promise<EchoServer> => {
  server = await EchoServer.start(more);
  return server;
};
afterEach(() => server.end());

interface Answered {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly trailers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

function http2Client(settings: { initialWindowSize?: number; maxFrameSize?: number } = {}) {
  const session = connectHttp2("http://localhost", {
    createConnection: () => connectSocket(server.path),
    settings,
  });
  session.on("error", () => undefined);
  server.endsWith(() => session.destroy());
  return session;
}

const GRPC = { ":method": "POST", ":path": ECHO, "content-type": "application/grpc", te: "trailers" };

async function send(
  session: ClientHttp2Session,
  pieces: readonly Buffer[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const stream = session.request({ ...GRPC, ...headers });
  let answered = {};
  let trailers = {};
  stream.on("response", (found) => {
    answered = found;
  });
  stream.on("trailers", (found) => {
    trailers = found;
  });
  for (const piece of pieces) stream.write(piece);
  stream.end();
  const found: Buffer[] = [];
  for await (const piece of stream) found.push(piece as Buffer);
  return { headers: { ...answered }, trailers: { ...trailers }, body: Buffer.concat(found) };
}

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

test("the server reads a message that arrives in two parts, for any length of the first part", async () => {
  await serve();
  const session = http2Client();
  const whole = framed(Buffer.from("a message"));
  for (let at = 0; at <= whole.length; at += 1) {
    const { headers, trailers, body } = await send(session, [whole.subarray(0, at), whole.subarray(at)]);
    expect(headers).toMatchObject({ ":status": 200, "content-type": "application/grpc" });
    expect(trailers).toMatchObject({ "grpc-status": "0" });
    expect(body).toEqual(whole);
  }
});

test("the server reads a message that arrives byte by byte", async () => {
  await serve();
  const session = http2Client();
  const whole = framed(Buffer.from("a message"));
  expect(
    (
      await send(
        session,
        Array.from(whole, (byte) => Buffer.of(byte)),
      )
    ).body,
  ).toEqual(whole);
});

test("messages arrive unchanged for any window size and frame size of the client", async () => {
  await serve();
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        initialWindowSize: fc.integer({ min: 500, max: 100_000 }),
        maxFrameSize: fc.integer({ min: 16_384, max: 40_000 }),
      }),
      fc.array(
        fc.record({
          pieces: fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 4 }),
          fill: fc.nat(255),
        }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      async (settings, messages) => {
        const session = http2Client(settings);
        const answers = await Promise.all(
          messages.map(async ({ pieces, fill }) => {
            const whole = framed(
              Buffer.alloc(
                pieces.reduce((sum, one) => sum + one, 0),
                fill,
              ),
            );
            let at = 5;
            const cut = pieces.map((length) => {
              at += length;
              return whole.subarray(at - length, at);
            });
            const { trailers, body } = await send(session, [whole.subarray(0, 5), ...cut]);
            return trailers["grpc-status"] === "0" && body.equals(whole);
          }),
        );
        session.destroy();
        expect(answers).not.toContain(false);
      },
    ),
    { numRuns: runs(20, 300), seed },
  );
});

test("the server parses headers in any order and with any content", async () => {
  const letters = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  });
  await serve();
  const session = http2Client();
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.stringMatching(/^x-[a-z0-9]{1,20}$/), letters, { maxKeys: 12 }),
      letters,
      async (headers, name) => {
        const asked = `/${name.replaceAll("%", "")}`;
        const { headers: answered } = await send(session, [], { ...headers, ":path": asked });
        expect(answered).toMatchObject({
          "grpc-status": "12",
          "grpc-message": `there is no procedure ${asked}`,
        });
      },
    ),
    { numRuns: runs(100, 2000), seed },
  );
});

test.each<[string, readonly Buffer[], Readonly<Record<string, string>>, object]>([
  [
    "with a compressed message",
    [Buffer.of(1, 0, 0, 0, 1, 7)],
    {},
    { "grpc-status": "12", "grpc-accept-encoding": "identity" },
  ],
  ["without a message", [], {}, { "grpc-status": "13" }],
  ["with half of a message prefix", [Buffer.of(0, 0, 0)], {}, { "grpc-status": "13" }],
  ["with fewer bytes than its prefix announces", [Buffer.of(0, 0, 0, 0, 2, 7)], {}, { "grpc-status": "13" }],
  [
    "that announces more than 256 MiB",
    [Buffer.of(0, 0x10, 0, 0, 1, 7)],
    {},
    { "grpc-status": "8", "grpc-message": "the message has 268435457 bytes, and the limit is 268435456" },
  ],
  ["with two messages", [framed(Buffer.of(1)), framed(Buffer.of(2))], {}, { "grpc-status": "13" }],
  [
    "with the content type application/json",
    [Buffer.from("{}")],
    { "content-type": "application/json" },
    { ":status": 415 },
  ],
  [
    "for an unknown procedure with a non-ASCII name",
    [],
    { ":path": "/100%\u00e4" },
    { "grpc-status": "12", "grpc-message": "there is no procedure /100%25%C3%A4" },
  ],
])("the server refuses a request %s", async (_, pieces, headers, expected) => {
  await serve();
  const session = http2Client();
  expect((await send(session, pieces, headers)).headers).toMatchObject(expected);
  expect((await send(session, [framed(Buffer.of(1))])).body).toEqual(framed(Buffer.of(1)));
});

test("if a client disconnects in the middle of a message, the server calls no procedure", async () => {
  const asked: number[] = [];
  const { connections } = await serve({
    "/test.Echo/Count": (request) => Buffer.of(asked.push(request.length)),
  });
  const session = http2Client();
  await once(session, "remoteSettings");
  const stream = session.request({ ...GRPC, ":path": "/test.Echo/Count" });
  stream.on("error", () => undefined);
  stream.write(framed(Buffer.alloc(1000)).subarray(0, 500));
  await new Promise((resolve) => session.ping(() => resolve(undefined)));
  session.destroy();
  await connections[0]!.settled();
  expect(asked).toEqual([]);
  expect(await call(server.client(), ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
});

test("if a client disconnects during a call, the server waits for the call before the connection counts as closed", async () => {
  const slow = new EventEmitter();
  const { connections } = await serve({
    "/test.Echo/Slow": async () => {
      slow.emit("asked");
      await once(slow, "finish");
      return Buffer.alloc(1);
    },
  });
  const session = http2Client();
  const asked = once(slow, "asked");
  const stream = session.request({ ...GRPC, ":path": "/test.Echo/Slow" });
  stream.on("error", () => undefined);
  stream.end(framed(Buffer.alloc(1)));
  await asked;
  session.destroy();
  let isSettled = false;
  const settled = connections[0]!.settled().then(() => {
    isSettled = true;
  });
  expect(await call(server.client(), ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  expect(isSettled).toBe(false);
  slow.emit("finish");
  await settled;
});

test("while a client does not read a response of 20 MB, another call on the connection gets its response", async () => {
  await serve({ "/test.Echo/Large": () => Buffer.alloc(20_000_000) });
  const session = http2Client();
  const unread = session.request({ ...GRPC, ":path": "/test.Echo/Large" });
  unread.end(framed(Buffer.of(1)));
  await once(unread, "response");
  const { body, trailers } = await send(session, [framed(Buffer.of(1))]);
  expect([body, trailers["grpc-status"]]).toEqual([framed(Buffer.of(1)), "0"]);
});

test("a call that exceeds its grpc-timeout ends with the status deadline exceeded (4)", async () => {
  await serve({ "/test.Echo/Never": (_, { signal }) => once(signal, "abort").then(() => Buffer.alloc(0)) });
  const { headers } = await send(http2Client(), [framed(Buffer.of(1))], {
    ":path": "/test.Echo/Never",
    "grpc-timeout": "10m",
  });
  expect(headers).toMatchObject({ "grpc-status": "4", "grpc-message": "the deadline passed" });
});

test("before the server closes a connection, it sends a GOAWAY frame without an error", async () => {
  const { connections } = await serve();
  const session = http2Client();
  await send(session, [framed(Buffer.of(1))]);
  const [told, closed] = [once(session, "goaway"), once(session, "close")];
  connections[0]!.end();
  expect((await told)[0]).toBe(constants.NGHTTP2_NO_ERROR);
  await closed;
});
