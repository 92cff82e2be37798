import { connect as connectHttp2 } from "node:http2";
import { connect as connectSocket } from "node:net";
import { connect as connectTls, type SecureContextOptions } from "node:tls";
import { type ChannelCredentials, credentials } from "@grpc/grpc-js";
import { HEALTH_SERVICE } from "../../../src/plugin/messages/generated/health";
import { PROVIDER_SERVICE } from "../../../src/plugin/messages/generated/tfplugin6";
import { Session } from "../../../src/plugin/session";
import { type Connection, serveConnection } from "../../../src/plugin/transport/connection";
import { certificatePem, createIdentity } from "../../../src/plugin/transport/handshake";
import { Secrets } from "../../../src/plugin/transport/log";
import { createProvider } from "../../../src/provider";
import { listen } from "../../../src/transport/socket";
import { dynamic, PluginClient } from "../support/plugin-client";
import { until } from "../support/until";

const own = createIdentity();
const theirs = createIdentity();
const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0).reverse()) end();
});

/** Serves the provider on a socket. With encryption, only clients with the certificate `theirs` can connect. */
async function serve({ encrypted }: { readonly encrypted: boolean }) {
  const logged: string[] = [];
  const connections: Connection[] = [];
  let firstRequests = 0;
  const socket = await listen((connected) => {
    connections.push(
      serveConnection(connected, {
        session: new Session(createProvider(), { run: {}, secrets: new Secrets() }),
        certificates: encrypted ? { own, client: theirs.certificatePem } : undefined,
        onFirstRequest: () => {
          firstRequests += 1;
        },
        log: (...line) => logged.push(JSON.stringify(line)),
      }),
    );
  });
  endings.push(() => socket.close());
  return { path: socket.path, logged, connections, firstRequests: () => firstRequests };
}

function client(path: string, secure?: ChannelCredentials): PluginClient {
  const one = new PluginClient(path, secure);
  endings.push(() => one.close());
  return one;
}

const secured = (identity = theirs): ChannelCredentials =>
  credentials.createSsl(
    Buffer.from(certificatePem(own.certificate)),
    Buffer.from(identity.keyPem),
    Buffer.from(identity.certificatePem),
  );

test("the plugin accepts a client with the expected certificate", async () => {
  const { path, firstRequests } = await serve({ encrypted: true });
  const one = client(path, secured());
  expect((await one.call("GetFunctions", {})).diagnostics).toEqual([]);
  expect((await one.call("GetFunctions", {})).diagnostics).toEqual([]);
  expect(firstRequests()).toBe(1);
});

test.each<[string, SecureContextOptions]>([
  ["no certificate", {}],
  ["a certificate of its own", { key: own.keyPem, cert: own.certificatePem }],
  ["a stranger's certificate", strangers()],
])("the plugin disconnects a client with %s before the client receives data", async (_, shown) => {
  const { path, firstRequests, connections, logged } = await serve({ encrypted: true });
  const socket = connectTls({
    socket: connectSocket(path),
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
    ...shown,
  });
  let heard = 0;
  socket.on("data", (piece: Buffer) => {
    heard += piece.length;
  });
  socket.on("error", () => undefined);
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  await new Promise((resolve) => socket.on("close", resolve));
  await connections[0]!.ended;
  expect([heard, firstRequests()]).toEqual([0, 0]);
  expect(logged.join()).toContain("connection refused");
});

function strangers(): SecureContextOptions {
  const { keyPem, certificatePem: cert } = createIdentity();
  return { key: keyPem, cert };
}

test("if encryption is required, the plugin disconnects an unencrypted client", async () => {
  const { path, firstRequests, connections } = await serve({ encrypted: true });
  await expect(client(path).call("GetFunctions", {})).rejects.toMatchObject({ code: 14 });
  await connections[0]!.ended;
  expect(firstRequests()).toBe(0);
});

test(
  "when the server ends, it closes encrypted connections and connections of clients that are " +
    "not admitted yet",
  async () => {
    const { path, connections } = await serve({ encrypted: true });
    await client(path, secured()).call("GetFunctions", {});
    await connections[0]!.end();
    await connections[0]!.ended;
    const silent = connectSocket(path);
    await until("the server has taken it", () => connections.length === 2);
    await connections[1]!.end();
    await connections[1]!.ended;
    silent.destroy();
  },
);

test("the health check of gRPC reports that the plugin is serving", async () => {
  const { path } = await serve({ encrypted: false });
  expect(await client(path).send(HEALTH_SERVICE.Check, { service: "plugin" })).toEqual({ status: "SERVING" });
});

test("neither the log nor a response contains the token of a request, even if the request is unreadable", async () => {
  const TOKEN = "a-token-that-nobody-may-see";
  const { path, logged } = await serve({ encrypted: false });
  const config = dynamic({ base_url: "http://localhost:9", token: TOKEN });
  const { ValidateProviderConfig, ConfigureProvider } = PROVIDER_SERVICE;
  expect(await client(path).send(ConfigureProvider, { config })).toEqual({ diagnostics: [] });
  const session = connectHttp2("http://localhost", { createConnection: () => connectSocket(path) });
  endings.push(() => session.destroy());
  for (const method of [ValidateProviderConfig, ConfigureProvider]) {
    const whole = method.requestSerialize({ config });
    for (let length = 0; length <= whole.length; length += 1) {
      const head = Buffer.alloc(5);
      head.writeUInt32BE(length, 1);
      const stream = session.request({
        ":method": "POST",
        ":path": method.path,
        "content-type": "application/grpc",
      });
      let said = "";
      stream.on("response", (headers) => {
        said += JSON.stringify(headers);
      });
      stream.end(Buffer.concat([head, whole.subarray(0, length)]));
      for await (const piece of stream) said += (piece as Buffer).toString("latin1");
      expect(said).not.toContain(TOKEN);
    }
  }
  expect(logged.length).toBeGreaterThan(2);
  expect(logged.join()).not.toContain(TOKEN);
});
