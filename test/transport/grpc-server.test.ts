import { EventEmitter, once } from "node:events";
import type { ServiceError } from "@grpc/grpc-js";
import type { Unary } from "../../src/transport/procedure";
import { asIs, call, ECHO, ECHO_LATER, EchoServer, SILENT } from "./support/echo-server";

// A server of gRPC as a client sees it that is not ours.

let server: EchoServer;
const serve = async (more: Readonly<Record<string, Unary["answer"]>> = {}): Promise<EchoServer> => {
  server = await EchoServer.start(more);
  return server;
};
afterEach(() => server.end());

describe("what a client of gRPC asks", () => {
  test("is answered, at once or later", async () => {
    const client = (await serve()).client();
    expect(await call(client, ECHO, Buffer.from("now"))).toEqual(Buffer.from("now"));
    expect(await call(client, ECHO_LATER, Buffer.from("later"))).toEqual(Buffer.from("later"));
    expect(await call(client, ECHO, Buffer.alloc(0))).toEqual(Buffer.alloc(0));
  });

  test("may be 1,000 things at once: each gets its own answer", async () => {
    const client = (await serve()).client();
    const asked = Array.from({ length: 1000 }, (_, index) => Buffer.from(`request ${index}`));
    const answers = await Promise.all(
      asked.map((request, index) => call(client, index % 2 === 0 ? ECHO : ECHO_LATER, request)),
    );
    expect(answers).toEqual(asked);
  });

  test("may be of more than 16 MB, and so may the answer", async () => {
    const client = (await serve()).client();
    const request = Buffer.alloc(17 * 2 ** 20);
    for (let at = 0; at < request.length; at += 4) request.writeUInt32LE(at, at);
    const answer = await call(client, ECHO, request);
    expect(answer.equals(request)).toBe(true);
  });

  test("is unimplemented where there is no such method, or no such service", async () => {
    const client = (await serve()).client();
    for (const path of ["/test.Echo/Unknown", "/test.Unknown/Echo"]) {
      const problem = await call(client, path, Buffer.alloc(3)).catch((one: ServiceError) => one);
      expect(problem).toMatchObject({ code: 12, details: `there is no procedure ${path}` });
    }
    expect(await call(client, ECHO, Buffer.from("and it goes on"))).toEqual(Buffer.from("and it goes on"));
  });

  test("and can't be answered is a fault, told in the log, and the connection goes on", async () => {
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

  test("may be given up: nobody gets the answer, and the connection goes on", async () => {
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

test("a stream that has nothing to say stays open until the client gives up, and is in nobody's way", async () => {
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
