import { EventEmitter, once } from "node:events";
import { type ClientReadableStream, Metadata, type ServiceError, type StatusObject } from "@grpc/grpc-js";
import type { Procedure } from "../../src/transport/call";
import { asIs, call, ECHO, ECHO_LATER, EchoServer, type More, SILENT } from "./support/echo-server";

// The tests use a gRPC client from another project (grpc-js).

let server: EchoServer;
const serve = async (more: More = {}): Promise<EchoServer> => {
  server = await EchoServer.start(more);
  return server;
};
afterEach(() => server.end());

describe("calls of a gRPC client", () => {
  test("a call gets the response of its procedure, whether the procedure responds at once or later", async () => {
    const client = (await serve()).client();
    expect(await call(client, ECHO, Buffer.from("now"))).toEqual(Buffer.from("now"));
    expect(await call(client, ECHO_LATER, Buffer.from("later"))).toEqual(Buffer.from("later"));
    expect(await call(client, ECHO, Buffer.alloc(0))).toEqual(Buffer.alloc(0));
  });

  test("each of 1,000 calls at the same time gets its own response", async () => {
    const client = (await serve()).client();
    const asked = Array.from({ length: 1000 }, (_, index) => Buffer.from(`request ${index}`));
    const answers = await Promise.all(
      asked.map((request, index) => call(client, index % 2 === 0 ? ECHO : ECHO_LATER, request)),
    );
    expect(answers).toEqual(asked);
  });

  test("a call and its response can each have 17 MiB", async () => {
    const client = (await serve()).client();
    const request = Buffer.alloc(17 * 2 ** 20);
    for (let at = 0; at < request.length; at += 4) request.writeUInt32LE(at, at);
    const answer = await call(client, ECHO, request);
    expect(answer.equals(request)).toBe(true);
  });

  test("a call of a method or service that does not exist gets the status unimplemented (12)", async () => {
    const client = (await serve()).client();
    for (const path of ["/test.Echo/Unknown", "/test.Unknown/Echo"]) {
      const problem = await call(client, path, Buffer.alloc(3)).catch((one: ServiceError) => one);
      expect(problem).toMatchObject({ code: 12, details: `there is no procedure ${path}` });
    }
    expect(await call(client, ECHO, Buffer.from("and it goes on"))).toEqual(Buffer.from("and it goes on"));
  });

  test("if a procedure throws, the connection stays open for other calls", async () => {
    const { logged } = await serve({
      "/test.Echo/Throw": () => {
        throw new RangeError("index out of range");
      },
      "/test.Echo/Reject": () => Promise.reject(new RangeError("index out of range")),
    });
    const client = server.client();
    for (const name of ["/test.Echo/Throw", "/test.Echo/Reject"]) {
      await expect(call(client, name, Buffer.alloc(3))).rejects.toMatchObject({ code: 13 });
      expect(logged.splice(0)).toEqual([["error", `${name} failed`, { error: "index out of range" }]]);
    }
    expect(await call(client, ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  });

  test("after a client cancels a call, the connection stays open for other calls", async () => {
    const slow = new EventEmitter();
    const { connections } = await serve({
      "/test.Echo/Slow": async () => {
        slow.emit("asked");
        await once(slow, "finish");
        return Buffer.alloc(1);
      },
    });
    const client = server.client();
    const asked = once(slow, "asked");
    const outcome = new Promise((resolve) => {
      const sent = client.makeUnaryRequest("/test.Echo/Slow", asIs, asIs, Buffer.alloc(1), resolve);
      void asked.then(() => sent.cancel());
    });
    expect(await outcome).toMatchObject({ code: 1 });
    slow.emit("finish");
    await connections[0]!.settled();
    expect(await call(client, ECHO, Buffer.from("x"))).toEqual(Buffer.from("x"));
  });
});

describe("a stream of responses", () => {
  const streaming = (answer: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Procedure => ({
    kind: "server-streaming",
    answer: (_, { signal }) => answer(signal),
  });
  /** Returns the messages and the status of a stream, as the client receives them. */
  async function heard(stream: ClientReadableStream<Buffer>) {
    const messages: Buffer[] = [];
    stream.on("data", (message: Buffer) => messages.push(message));
    stream.on("error", () => undefined);
    const { code, details } = await new Promise<StatusObject>((resolve) => stream.on("status", resolve));
    return { messages, code, details };
  }
  const open = (name: string, options = {}): ClientReadableStream<Buffer> =>
    server.client().makeServerStreamRequest(name, asIs, asIs, Buffer.from("asked"), new Metadata(), options);

  test("a stream of 1,000 responses arrives in order", async () => {
    await serve({
      "/test.Echo/Many": {
        kind: "server-streaming",
        async *answer(request) {
          for (let index = 0; index < 1000; index += 1)
            yield Buffer.concat([request, Buffer.of(index % 256)]);
        },
      },
    });
    const { messages, code } = await heard(open("/test.Echo/Many"));
    const expected = Array.from({ length: 1000 }, (_, index) =>
      Buffer.from([...Buffer.from("asked"), index % 256]),
    );
    expect([messages, code]).toEqual([expected, 0]);
  });

  test("a stream without a response ends with the status OK", async () => {
    await serve({ "/test.Echo/None": streaming(async function* () {}) });
    expect(await heard(open("/test.Echo/None"))).toMatchObject({ messages: [], code: 0 });
  });

  test.each([0, 2])(
    "if a procedure throws after %i messages, the stream ends with an error",
    async (count) => {
      await serve({
        "/test.Echo/Fail": streaming(async function* () {
          for (let index = 0; index < count; index += 1) yield Buffer.of(index);
          throw new RangeError("index out of range");
        }),
      });
      const { messages, code, details } = await heard(open("/test.Echo/Fail"));
      expect([messages.length, code]).toEqual([count, 13]);
      expect(details).not.toContain("index out of range");
      expect(server.logged).toEqual([["error", "/test.Echo/Fail failed", { error: "index out of range" }]]);
    },
  );

  test("if the client cancels a stream, the server ends the procedure of the stream", async () => {
    const ended = new EventEmitter();
    await serve({
      "/test.Echo/Endless": streaming(async function* () {
        try {
          for (;;) yield Buffer.alloc(10);
        } finally {
          ended.emit("returned");
        }
      }),
      "/test.Echo/Waiting": streaming(async function* (signal) {
        yield Buffer.alloc(10);
        await once(signal, "abort");
        ended.emit("aborted");
      }),
    });
    for (const [name, event] of [
      ["/test.Echo/Endless", "returned"],
      ["/test.Echo/Waiting", "aborted"],
    ] as const) {
      const end = once(ended, event);
      const stream = open(name);
      stream.on("error", () => undefined);
      stream.once("data", () => stream.cancel());
      await end;
    }
    expect(server.logged).toEqual([]);
  });

  test("at the client's deadline, a stream ends with the status deadline exceeded (4)", async () => {
    await serve({
      "/test.Echo/Waiting": streaming(async function* (signal) {
        yield Buffer.alloc(10);
        await once(signal, "abort");
      }),
    });
    expect(await heard(open("/test.Echo/Waiting", { deadline: Date.now() + 200 }))).toMatchObject({
      code: 4,
    });
  });

  test("if the server ends a connection, it aborts the procedure of each open stream", async () => {
    let aborted: Promise<unknown> | undefined;
    const { connections } = await serve({
      "/test.Echo/Waiting": streaming(async function* (signal) {
        yield Buffer.alloc(10);
        aborted = once(signal, "abort");
        await aborted;
      }),
    });
    const stream = open("/test.Echo/Waiting");
    const told = heard(stream);
    await once(stream, "data");
    connections[0]!.end();
    expect((await told).code).not.toBe(0);
    await aborted;
  });
});

test("a stream without messages stays open until the client cancels the stream", async () => {
  const client = (await serve()).client();
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
