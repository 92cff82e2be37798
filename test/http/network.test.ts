import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { inspect } from "node:util";
import { type ClientOptions, createClient } from "../../src/api";
import { failureOf } from "../api/support/failure-of";
import {
  type FaultServer,
  json,
  startFaultServer,
  startSecureFaultServer,
} from "../api/support/fault-server";

const USER = json(200, { id: 1, username: "ann" });
const file = (name: string) => join(__dirname, "../api/support/certificates", name);
const pem = (name: string) => readFileSync(file(name), "utf8");
const SERVER = { key: pem("server.key.pem"), cert: pem("server.pem") };
const caFile = file("authority.pem");

let server: FaultServer;
const client = (options: ClientOptions = {}) =>
  createClient({ baseUrl: server.baseUrl, token: "secret-token", env: {}, maxAttempts: 1, ...options });
afterEach(() => server.close());

describe("over TLS", () => {
  test("the client trusts a private certificate authority if caFile names the authority's file", async () => {
    server = await startSecureFaultServer(SERVER, USER);
    await expect(client({ caFile }).users.current()).resolves.toMatchObject({ username: "ann" });
  });

  test("the client refuses the certificate of an unknown authority without a retry", async () => {
    server = await startSecureFaultServer(SERVER, USER);
    const error = await failureOf(client({ maxAttempts: 5, retryDelay: 100 }).users.current());
    expect(error).toMatchObject({ code: "unreachable" });
    expect(error.message).toMatch(/certificate/);
    expect(server.seen).toEqual([]);
  });

  test("if the service requests a client certificate, the client sends the configured certificate", async () => {
    server = await startSecureFaultServer(
      { ...SERVER, ca: pem("authority.pem"), requestCert: true, rejectUnauthorized: true },
      USER,
    );
    const certificate = { clientCertFile: file("client.pem"), clientKeyFile: file("client.key.pem") };
    await expect(client({ caFile, ...certificate }).users.current()).resolves.toMatchObject({ id: 1 });
    expect((await failureOf(client({ caFile }).users.current())).name).toBe("ConnectionError");
  });

  test("if a certificate file contains no certificate, the client reports an error and does not crash", async () => {
    server = await startSecureFaultServer(SERVER, USER);
    const clientCertFile = file("README.md");
    const broken = client({ caFile, clientCertFile, clientKeyFile: file("client.key.pem") });
    expect((await failureOf(broken.users.current())).code).toBe("unreachable");
  });
});

/** Starts a proxy that records its requests, and connects every tunnel to the service of the test. */
async function startProxy(target: () => number) {
  const asked: { readonly target: string; readonly headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  const proxy: Server = createServer();
  proxy.on("connect", (request, socket: Socket) => {
    asked.push({ target: request.url!, headers: request.headers });
    const tunnel = connect(target(), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const each of [socket, tunnel]) {
      sockets.add(each);
      each.on("error", () => each.destroy());
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  return {
    asked,
    address: `http://ann:pass-word@127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

describe("through a proxy", () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeEach(async () => {
    proxy = await startProxy(() => server.port);
  });
  afterEach(() => proxy.close());

  test("the client connects through HTTPS_PROXY, and the proxy can't read the token", async () => {
    server = await startSecureFaultServer(SERVER, USER);
    const env = { HTTPS_PROXY: proxy.address };
    const through = client({ baseUrl: "https://steward.example", caFile, env });
    await expect(through.users.current()).resolves.toMatchObject({ username: "ann" });
    expect(proxy.asked.map(({ target }) => target)).toEqual(["steward.example:443"]);
    expect(inspect(proxy.asked)).not.toContain("secret-token");
    expect(server.seen[0]!.headers).toMatchObject({
      "private-token": "secret-token",
      host: "steward.example",
    });
    await through.close();
  });

  test("the client uses HTTP_PROXY for plain HTTP, except for the hosts in NO_PROXY", async () => {
    server = await startFaultServer(USER);
    // This address reaches this machine, but is not a loopback address, so the client uses the proxy.
    const baseUrl = `http://0.0.0.0:${server.port}`;
    const env = { HTTP_PROXY: proxy.address };
    const through = client({ baseUrl, allowPlainHttp: "0.0.0.0", env });
    await through.users.current();
    expect(proxy.asked).toHaveLength(1);
    const direct = client({ baseUrl, allowPlainHttp: "0.0.0.0", env: { ...env, NO_PROXY: "0.0.0.0" } });
    await direct.users.current();
    expect(proxy.asked).toHaveLength(1);
    expect(server.seen).toHaveLength(2);
    await through.close();
    await direct.close();
  });

  test("the client sends requests to this machine without the proxy", async () => {
    server = await startFaultServer(USER);
    await client({ env: { HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address } }).users.current();
    expect(proxy.asked).toEqual([]);
  });

  test("the error of an unreachable proxy does not show the proxy's password", async () => {
    server = await startFaultServer(USER);
    const gone = await startProxy(() => 0);
    await gone.close();
    const through = client({ baseUrl: "https://steward.example", env: { HTTPS_PROXY: gone.address } });
    const error = await failureOf(through.users.current());
    expect(error.code).toBe("unreachable");
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain("pass-word");
  });

  test("the error of an invalid proxy URL does not show the URL", async () => {
    server = await startFaultServer(USER);
    const env = { HTTPS_PROXY: "pass-word" };
    expect(() => client({ baseUrl: "https://steward.example", env })).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.not.stringContaining("pass-word") }),
    );
  });
});
