import { EventEmitter, once } from "node:events";
import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import { connect as connectSocket } from "node:net";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import fc from "fast-check";
import { GrpcServer, type Procedure } from "../../../src/plugin/transport/grpc-server";
import { listen } from "../../../src/plugin/transport/socket";
import { runs, seed } from "../../support/capabilities";

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const ECHO = "/test.Echo/Echo";
const ECHO_LATER = "/test.Echo/EchoLater";
const SILENT = "/test.Echo/Listen";
const later = (request: Buffer) => new Promise<Buffer>((resolve) => setImmediate(() => resolve(request)));

async function serve(more: Readonly<Record<string, Procedure>> = {}) {
  const logged: unknown[] = [];
  const servers: GrpcServer[] = [];
  const socket = await listen((connected) => {
    connected.on("error", () => undefined);
    const server = new GrpcServer(connected, {
      procedures: new Map<string, Procedure>([
        [ECHO, (request) => request],
        [ECHO_LATER, later],
        ...Object.entries(more),
      ]),
      silent: new Set([SILENT]),
      onCall: () => undefined,
      log: (...line) => logged.push(line),
    });
    servers.push(server);
  });
  endings.push(() => socket.close());
  return { path: socket.path, logged, servers };
}

const asIs = (bytes: Buffer): Buffer => bytes;

/** A client as others write it. */
function grpcClient(path: string): Client {
  const client = new Client(`unix:${path}`, credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
  });
  endings.push(() => client.close());
  return client;
}

const call = (client: Client, procedure: string, request: Buffer, options = {}): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    client.makeUnaryRequest(procedure, asIs, asIs, request, new Metadata(), options, (problem, answer) =>
      problem ? reject(problem) : resolve(answer!),
    ),
  );

describe("what a client of gRPC asks", () => {
  test("is answered, at once or later", async () => {
    const client = grpcClient((await serve()).path);
    expect(await call(client, ECHO, Buffer.from("now"))).toEqual(Buffer.from("now"));
    expect(await call(client, ECHO_LATER, Buffer.from("later"))).toEqual(Buffer.from("later"));
    expect(await call(client, ECHO, Buffer.alloc(0))).toEqual(Buffer.alloc(0));
  });

  test("may be 1,000 things at once: each gets its own answer", async () => {
    const client = grpcClient((await serve()).path);
    const asked = Array.from({ length: 1000 }, (_, index) => Buffer.from(`request ${index}`));
    const answers = await Promise.all(
      asked.map((request, index) => call(client, index % 2 === 0 ? ECHO : ECHO_LATER, request)),
    );
    expect(answers).toEqual(asked);
  });

  test("may be of more than 16 MB, and so may the answer", async () => {
    const client = grpcClient((await serve()).path);
    const request = Buffer.alloc(17 * 2 ** 20);
    for (let at = 0; at < request.length; at += 4) request.writeUInt32LE(at, at);
    const answer = await call(client, ECHO, request);
    expect(answer.equals(request)).toBe(true);
  });

  test("is unimplemented where there is no such method, or no such service", async () => {
    const client = grpcClient((await serve()).path);
    for (const path of ["/test.Echo/Unknown", "/test.Unknown/Echo"]) {
      const problem = await call(client, path, Buffer.alloc(3)).catch((one: ServiceError) => one);
      expect(problem).toMatchObject({ code: 12, details: `there is no procedure ${path}` });
    }
    expect(await call(client, ECHO, Buffer.from("and it goes on"))).toEqual(Buffer.from("and it goes on"));
  });

  test("and can't be answered is a fault, told in the log, and the connection goes on", async () => {
    const { path, logged } = await serve({
      "/test.Echo/Throw": () => {
        throw new RangeError("index out of range");
      },
      "/test.Echo/Reject": () => Promise.reject(new RangeError("index out of range")),
    });
    const client = grpcClient(path);
    for (const name of ["/test.Echo/Throw", "/test.Echo/Reject"]) {
      await expect(call(client, name, Buffer.alloc(3))).rejects.toMatchObject({ code: 13 });
      expect(logged.splice(0)).toEqual([["error", `${name} failed`, { error: "index out of range" }]]);
    }
    expect(await call(client, ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  });

  test("may be given up: nobody gets the answer, and the connection goes on", async () => {
    let answer: (bytes: Buffer) => void = () => undefined;
    const slow = new Promise<Buffer>((resolve) => {
      answer = resolve;
    });
    const arrived = new EventEmitter();
    const { path, servers } = await serve({
      "/test.Echo/Slow": () => {
        arrived.emit("call");
        return slow;
      },
    });
    const client = grpcClient(path);
    const called = once(arrived, "call");
    const outcome = new Promise((resolve) => {
      const sent = client.makeUnaryRequest("/test.Echo/Slow", asIs, asIs, Buffer.alloc(1), resolve);
      void called.then(() => sent.cancel());
    });
    expect(await outcome).toMatchObject({ code: 1 });
    answer(Buffer.alloc(1));
    await servers[0]!.settled();
    expect(await call(client, ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  });
});

test("a stream that has nothing to say stays open until the client gives up, and is in nobody's way", async () => {
  const client = grpcClient((await serve()).path);
  const stream = client.makeServerStreamRequest(SILENT, asIs, asIs, Buffer.alloc(0));
  const both = client.makeBidiStreamRequest(SILENT, asIs, asIs);
  both.write(Buffer.from("somebody speaks"));
  const heard: unknown[] = [];
  for (const one of [stream, both]) {
    for (const event of ["data", "end", "status"]) one.on(event, () => heard.push(event));
    one.on("error", () => undefined);
  }
  expect(await call(client, ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  expect(heard).toEqual([]);
  const ended = Promise.all([once(stream, "error"), once(both, "error")]);
  stream.cancel();
  both.cancel();
  expect(await ended).toMatchObject([[{ code: 1 }], [{ code: 1 }]]);
});

// By hand, below gRPC: Node's own HTTP/2.

interface Answered {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly trailers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

function http2Client(path: string, settings: { initialWindowSize?: number; maxFrameSize?: number } = {}) {
  const session = connectHttp2("http://localhost", { createConnection: () => connectSocket(path), settings });
  session.on("error", () => undefined);
  endings.push(() => session.destroy());
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

test("a message cut in two at any byte is the same message", async () => {
  const session = http2Client((await serve()).path);
  const whole = framed(Buffer.from("a message"));
  for (let at = 0; at <= whole.length; at += 1) {
    const { headers, trailers, body } = await send(session, [whole.subarray(0, at), whole.subarray(at)]);
    expect(headers).toMatchObject({ ":status": 200, "content-type": "application/grpc" });
    expect(trailers).toMatchObject({ "grpc-status": "0" });
    expect(body).toEqual(whole);
  }
});

test("a message byte by byte is the same message", async () => {
  const session = http2Client((await serve()).path);
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

test("whatever windows and frames the client sets, and however it cuts its messages, they come back whole", async () => {
  const { path } = await serve();
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        initialWindowSize: fc.integer({ min: 1, max: 100_000 }),
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
        const session = http2Client(path, settings);
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
    { numRuns: runs(20, 500), seed },
  );
});

test("headers are understood whatever is in them, and whatever came before", async () => {
  const letters = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  });
  const { path } = await serve();
  const session = http2Client(path);
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
    { numRuns: runs(100, 5000), seed },
  );
});

test.each<[string, readonly Buffer[], Readonly<Record<string, string>>, object]>([
  [
    "compressed",
    [Buffer.of(1, 0, 0, 0, 1, 7)],
    {},
    { "grpc-status": "12", "grpc-accept-encoding": "identity" },
  ],
  ["no message at all", [], {}, { "grpc-status": "13" }],
  ["half a prefix", [Buffer.of(0, 0, 0)], {}, { "grpc-status": "13" }],
  ["less than it announces", [Buffer.of(0, 0, 0, 0, 2, 7)], {}, { "grpc-status": "13" }],
  ["two messages", [framed(Buffer.of(1)), framed(Buffer.of(2))], {}, { "grpc-status": "13" }],
  ["not for gRPC", [Buffer.from("{}")], { "content-type": "application/json" }, { ":status": 415 }],
  [
    "for a place that there is not, in any letters",
    [],
    { ":path": "/100%\u00e4" },
    { "grpc-status": "12", "grpc-message": "there is no procedure /100%25%C3%A4" },
  ],
])("a request that is %s is refused", async (_, pieces, headers, expected) => {
  const session = http2Client((await serve()).path);
  expect((await send(session, pieces, headers)).headers).toMatchObject(expected);
  expect((await send(session, [framed(Buffer.of(1))])).body).toEqual(framed(Buffer.of(1)));
});

test("a client that hangs up halfway through a request has asked nothing, and others go on", async () => {
  const asked: number[] = [];
  const { path, servers } = await serve({
    "/test.Echo/Count": (request) => Buffer.of(asked.push(request.length)),
  });
  const session = http2Client(path);
  await once(session, "remoteSettings");
  const stream = session.request({ ...GRPC, ":path": "/test.Echo/Count" });
  stream.on("error", () => undefined);
  stream.write(framed(Buffer.alloc(1000)).subarray(0, 500));
  await new Promise((resolve) => session.ping(() => resolve(undefined)));
  session.destroy();
  await servers[0]!.settled();
  expect(asked).toEqual([]);
  expect(await call(grpcClient(path), ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
});

test("what was asked before the client hung up is done to its end", async () => {
  const slow = new EventEmitter();
  const { path, servers } = await serve({
    "/test.Echo/Slow": async () => {
      slow.emit("asked");
      await once(slow, "finish");
      return Buffer.alloc(1);
    },
  });
  const session = http2Client(path);
  const asked = once(slow, "asked");
  const stream = session.request({ ...GRPC, ":path": "/test.Echo/Slow" });
  stream.on("error", () => undefined);
  stream.end(framed(Buffer.alloc(1)));
  await asked;
  session.destroy();
  let isSettled = false;
  const settled = servers[0]!.settled().then(() => {
    isSettled = true;
  });
  expect(await call(grpcClient(path), ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  expect(isSettled).toBe(false);
  slow.emit("finish");
  await settled;
});

test("at the end the client is told that no more is taken", async () => {
  const { path, servers } = await serve();
  const session = http2Client(path);
  await send(session, [framed(Buffer.of(1))]);
  const [told, closed] = [once(session, "goaway"), once(session, "close")];
  servers[0]!.end();
  expect((await told)[0]).toBe(constants.NGHTTP2_NO_ERROR);
  await closed;
});
