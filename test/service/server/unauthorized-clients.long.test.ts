import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { describeWhere } from "../../support/capabilities";
import { company, tokenOf } from "../company";

// On a busy machine, sending gigabytes takes long.
jest.setTimeout(300_000);

const MEGABYTE = 1_048_576;
/** The memory that all unauthorized clients together may use, in addition to the memory of the started service. */
const ALLOWED = 300 * MEGABYTE;

const command = path.resolve(__dirname, "../../../dist/cli/main.js");
let folder: string;
let child: ChildProcess;
let port: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-unauthorized-"));
  const fixture = company();
  for (let index = 0; index < 120; index += 1) {
    const description = "A project that everybody may see. ".repeat(50);
    fixture.projects!.push({ path: `open-source/p${index}`, visibility: "public", description });
  }
  const file = path.join(folder, "fixture.yaml");
  writeFileSync(file, JSON.stringify(fixture));
  child = spawn(process.execPath, [command, "serve", "--fixture", file], {
    stdio: ["ignore", "pipe", "inherit"],
    cwd: folder,
  });
  const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
  port = Number(new URL(line.replace("listening on ", "")).port);
});
afterAll(async () => {
  const ended = once(child, "exit");
  child.kill();
  await ended;
  rmSync(folder, { recursive: true });
});

/** Returns the bytes of memory that the process uses now (`VmRSS`), or its peak (`VmHWM`). */
function memory(which: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(status)![1]) * 1024;
}

const get = async (address: string, token?: string): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${port}${address}`, {
    headers: token === undefined ? {} : { "private-token": token },
  });
  await response.arrayBuffer();
  return response.status;
};

interface Connection {
  readonly socket: Socket;
  /** The text received from the service. */
  text: string;
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>;
}

async function open(): Promise<Connection> {
  const socket = connect(port, "127.0.0.1");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const connection: Connection = { socket, text: "", closed };
  socket.on("data", (chunk) => {
    if (connection.text.length < 10_000) connection.text += chunk.toString("latin1");
  });
  socket.on("error", () => socket.destroy());
  await Promise.race([new Promise<void>((resolve) => socket.once("connect", () => resolve())), closed]);
  return connection;
}

/** Writes a chunk several times, as fast as the service reads it. Stops if the connection is closed. */
async function write({ socket, closed }: Connection, chunk: Buffer | string, times = 1): Promise<void> {
  for (let count = 0; count < times && !socket.destroyed; count += 1) {
    if (!socket.write(chunk)) {
      await Promise.race([new Promise<void>((resolve) => socket.once("drain", () => resolve())), closed]);
    }
  }
}

const end = ({ socket, closed }: Connection): Promise<void> => {
  socket.destroy();
  return closed;
};

/** Sends several requests one after the other. After these requests, the service has handled all earlier requests. */
async function settled(): Promise<void> {
  for (let count = 0; count < 5; count += 1) expect(await get("/_steward/health")).toBe(200);
}

const STATE = "/api/v4/projects/1/terraform/state/production";
const CHUNK = Buffer.alloc(MEGABYTE, "a");

/** Posts this number of megabytes. Returns the status of the response. */
async function post(address: string, megabytes: number, headers: string, chunked = false): Promise<string> {
  const connection = await open();
  const length = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${megabytes * MEGABYTE}`;
  await write(
    connection,
    `POST ${address} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}${length}\r\n\r\n`,
  );
  if (chunked) {
    const piece = Buffer.concat([Buffer.from(`${MEGABYTE.toString(16)}\r\n`), CHUNK, Buffer.from("\r\n")]);
    await write(connection, piece, megabytes);
    await write(connection, "0\r\n\r\n");
  } else {
    await write(connection, CHUNK, megabytes);
  }
  connection.socket.end();
  await connection.closed;
  return /^HTTP\/1\.1 (\d+)/.exec(connection.text)?.[1] ?? "none";
}

const needed = existsSync("/proc/self/status") ? "/proc" : undefined;

describeWhere(needed, "/proc", "requests of unauthorized clients use at most 300 MB", () => {
  let start: number;
  beforeAll(async () => {
    await get("/api/v4/projects");
    start = memory("VmRSS");
  });
  afterEach(async () => {
    await settled();
    expect(memory("VmHWM") - start).toBeLessThan(ALLOWED);
  });

  test("the service refuses 114 MB states from clients without access, and uses at most 300 MB of memory", async () => {
    const refused = {
      "": "401",
      "PRIVATE-TOKEN: unknown\r\n": "401",
      [`PRIVATE-TOKEN: ${tokenOf("outsider")}\r\n`]: "404",
      [`PRIVATE-TOKEN: ${tokenOf("guest")}\r\n`]: "403",
    };
    const answers = await Promise.all(Object.keys(refused).map((headers) => post(STATE, 114, headers)));
    expect(answers).toEqual(Object.values(refused));
  });

  test("the service refuses 60 MB bodies without a Content-Length, and uses at most 300 MB of memory", async () => {
    const chunked = await Promise.all([1, 2, 3, 4].map(() => post(STATE, 60, "", true)));
    expect(chunked).toEqual(Array(4).fill("401"));
    const nowhere = await Promise.all([1, 2, 3, 4].map(() => post("/api/v4/nothing", 60, "")));
    expect(nowhere).toEqual(Array(4).fill("404"));
  });

  test("if a refused client sends an endless body, the service closes the connection", async () => {
    const connection = await open();
    await write(
      connection,
      `POST ${STATE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const piece = Buffer.concat([Buffer.from(`${MEGABYTE.toString(16)}\r\n`), CHUNK, Buffer.from("\r\n")]);
    await write(connection, piece, 2_000);
    expect(connection.socket.destroyed).toBe(true);
    expect(connection.text).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("for 700 connections with endless headers, the service uses at most 300 MB of memory", async () => {
    const connections = await Promise.all(Array.from({ length: 700 }, open));
    const headers = `GET / HTTP/1.1\r\n${`x: ${"a".repeat(8_000)}\r\n`.repeat(130)}`;
    await Promise.all(connections.map((connection) => write(connection, headers)));
    await Promise.all(connections.map(end));
  });

  test.each([
    [1, "/_steward/openapi.json"],
    [1_000, "/_steward/openapi.json"],
    [1_000, "/api/v4/projects?per_page=100"],
  ])(
    "if no client reads responses, %i requests for %s on each of 500 connections stay within the memory limit",
    async (requests, address) => {
      const connections = await Promise.all(Array.from({ length: 500 }, open));
      for (const { socket } of connections) socket.pause();
      const burst = `GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests);
      for (const { socket } of connections) socket.write(burst);
      await settled();
      await Promise.all(connections.map(end));
    },
  );

  test("for nested queries, long queries and queries with 1,500 topics, the service uses at most 300 MB of memory", async () => {
    const nested = `a${"[b]".repeat(2_000)}=c`;
    const many = Array.from({ length: 1_500 }, (_, index) => `k${index}=`).join("&");
    for (const query of [nested, many]) await get(`/api/v4/projects?${query}`);
    // Each number of topics needs its own SQL statement. Without a limit, a request with 1,000 topics got status 500.
    for (let count = 250; count <= 1_500; count += 250) {
      expect(await get(`/api/v4/projects?topic=${Array(count).fill("a").join(",")}`)).toBe(200);
    }
    for (let count = 0; count < 100; count += 1) {
      expect(await get(`/api/v4/projects?search=${count}${"a".repeat(3_000)}`)).toBe(200);
    }
  });
});

// This must be the last test, because the peak of memory never falls.
describeWhere(needed, "/proc", "what a Maintainer sends stays within 2.5 GB", () => {
  test("the service saves two states of 130 MB at the same time within 2.5 GB of memory", async () => {
    const start = memory("VmRSS");
    const objects = Buffer.from("{},".repeat(MEGABYTE / 3 + 1)).subarray(0, MEGABYTE - 1);
    const piece = Buffer.concat([objects.subarray(0, MEGABYTE - 4), Buffer.from("{},\n")]);
    const save = async (): Promise<string> => {
      const connection = await open();
      const [before, after] = ['{"x":[', "{}]}"];
      const length = before.length + 130 * piece.length + after.length;
      await write(
        connection,
        `POST ${STATE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
          `PRIVATE-TOKEN: ${tokenOf("maintainer")}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${before}`,
      );
      await write(connection, piece, 130);
      await write(connection, after);
      await connection.closed;
      return connection.text.slice(0, 12);
    };
    expect(await Promise.all([1, 2].map(save))).toEqual(Array(2).fill("HTTP/1.1 200"));
    expect(memory("VmHWM") - start).toBeLessThan(2_500 * MEGABYTE);
  });
});
