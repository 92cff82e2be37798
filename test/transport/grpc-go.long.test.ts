import { once } from "node:events";
import type { Procedure } from "../../src/transport/call";
import { describeWith } from "../support/capabilities";
import { ECHO, EchoServer, type More, SILENT } from "./support/echo-server";
import { BUILD, GoProgram, linesOf } from "./support/go-program";

// In these tests, the client is grpc-go, which Terraform uses.

const COUNT = "/test.Echo/Count";
const MIB = 2 ** 20;

interface Outcome {
  readonly messages: number;
  readonly bytes: number;
  readonly code: string;
  readonly message: string;
}

const streaming = (answer: (signal: AbortSignal) => AsyncIterable<Uint8Array>): Procedure => ({
  kind: "server-streaming",
  answer: (_, { signal }) => answer(signal),
});

describeWith("go", "a client in Go", (go) => {
  let client: GoProgram;
  let server: EchoServer;
  beforeAll(() => {
    client = new GoProgram(go, "client");
  }, BUILD);
  afterEach(() => server.end());
  afterAll(() => client.remove());

  const serve = async (more: More = {}): Promise<void> => {
    server = await EchoServer.start(more);
  };
  const run = async (kind: "unary" | "stream", path: string, ...flags: readonly string[]): Promise<Outcome> =>
    (await client.run<Outcome>(kind, ...flags, `unix:${server.path}`, path))[0]!;

  describe("a call of a Go client that gets one response", () => {
    test("if the server allows 250 streams, each of 400 calls at a time gets its response", async () => {
      await serve();
      const outcome = await run("unary", ECHO, "-count=20000", "-at-once=400", "-size=500");
      expect(outcome).toEqual({ messages: 20_000, bytes: 10_000_000, code: "OK", message: "" });
    });

    test("a call and its response can each have 64 MiB", async () => {
      await serve();
      const outcome = await run("unary", ECHO, `-size=${64 * MIB}`);
      expect(outcome).toMatchObject({ messages: 1, bytes: 64 * MIB, code: "OK" });
    });
  });

  describe("a call of a Go client that gets a stream", () => {
    test("a stream of 100,000 messages arrives completely", async () => {
      await serve({
        [COUNT]: streaming(async function* () {
          for (let index = 0; index < 100_000; index += 1) yield Buffer.alloc(10 + (index % 90));
        }),
      });
      expect(await run("stream", COUNT)).toMatchObject({ messages: 100_000, bytes: 5_449_600, code: "OK" });
    });

    test("if the client does not read, the procedure waits after fewer than 20 messages", async () => {
      let made = 0;
      await serve({
        [COUNT]: streaming(async function* () {
          for (; made < 2000; made += 1) yield Buffer.alloc(64 * 1024);
        }),
      });
      const child = client.start("stream", "-wait-after=1", "-window=65536", `unix:${server.path}`, COUNT);
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      expect(line.toString()).toBe('"waiting"\n');
      const memory = process.memoryUsage().arrayBuffers;
      for (let before = -1; before !== made; await untilIdle()) before = made;
      // All 2000 responses together would take 125 MiB.
      expect(made).toBeLessThan(20);
      expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(16 * MIB);
      child.stdin.end("\n");
      const [outcome] = await linesOf<Outcome>(child);
      expect(outcome).toMatchObject({ messages: 2000, code: "OK" });
    });

    test("if the client cancels its call, the server ends the procedure", async () => {
      let ended: (() => void) | undefined;
      const end = new Promise<void>((resolve) => {
        ended = resolve;
      });
      await serve({
        [COUNT]: streaming(async function* () {
          try {
            for (;;) yield Buffer.alloc(10);
          } finally {
            ended?.();
          }
        }),
      });
      expect(await run("stream", COUNT, "-cancel-after=10")).toMatchObject({ code: "Canceled" });
      await end;
    });

    test("if the client cancels its call while the procedure waits, the server aborts the procedure's signal", async () => {
      let aborted: Promise<unknown> | undefined;
      await serve({
        [COUNT]: streaming(async function* (signal) {
          yield Buffer.alloc(10);
          aborted = once(signal, "abort");
          await aborted;
        }),
      });
      expect(await run("stream", COUNT, "-cancel-after=1")).toMatchObject({ messages: 1, code: "Canceled" });
      await aborted;
    });

    test("if the client's process is killed, the server aborts the procedure's signal", async () => {
      let aborted: Promise<unknown> | undefined;
      await serve({
        [COUNT]: streaming(async function* (signal) {
          yield Buffer.alloc(10);
          aborted = once(signal, "abort");
          await aborted;
        }),
      });
      const child = client.start("stream", "-wait-after=1", `unix:${server.path}`, COUNT);
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await aborted;
    });

    test("if the procedure throws after three messages, the client still gets these messages", async () => {
      await serve({
        [COUNT]: streaming(async function* () {
          for (let index = 0; index < 3; index += 1) yield Buffer.alloc(10);
          throw new Error("what nobody else may see");
        }),
      });
      const outcome = await run("stream", COUNT);
      expect(outcome).toMatchObject({ messages: 3, bytes: 30, code: "Internal" });
      expect(outcome.message).not.toContain("nobody else");
      expect(server.logged).toContainEqual([
        "error",
        `${COUNT} failed`,
        { error: "what nobody else may see" },
      ]);
    });

    test("at its deadline, the client gets the status DeadlineExceeded", async () => {
      await serve({
        [COUNT]: streaming(async function* (signal) {
          yield Buffer.alloc(10);
          await once(signal, "abort");
        }),
      });
      const outcome = await run("stream", COUNT, "-deadline=300ms");
      expect(outcome).toMatchObject({ code: "DeadlineExceeded" });
    });

    test("a stream without messages stays open until the client's deadline", async () => {
      await serve();
      expect(await run("stream", SILENT, "-deadline=100ms")).toMatchObject({
        messages: 0,
        code: "DeadlineExceeded",
      });
    });
  });
});

/** Waits until the process has nothing more to do without a new event. */
const untilIdle = async (): Promise<void> => {
  for (let round = 0; round < 100; round += 1) await new Promise((resolve) => setImmediate(resolve));
};
