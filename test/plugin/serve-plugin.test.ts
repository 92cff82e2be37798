import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { type ChannelCredentials, credentials } from "@grpc/grpc-js";
import { GRPC_CONTROLLER_SERVICE } from "../../src/plugin/messages/generated/go-plugin";
import { certificatePem, createIdentity } from "../../src/plugin/transport/handshake";
import { PluginClient } from "./support/plugin-client";
import { makeMirror, type PluginMirror } from "./support/plugin-mirror";

// The tests start the process as Terraform does, and simulate the client.

const COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const own = createIdentity();

let mirror: PluginMirror;
let folder: string;
const clients: PluginClient[] = [];
const children: ChildProcess[] = [];
beforeAll(async () => {
  mirror = await makeMirror();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "plugin-serve-"));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  }
  rmSync(folder, { recursive: true });
});
afterAll(() => mirror.remove());

async function start(env: Readonly<Record<string, string>> = { PLUGIN_CLIENT_CERT: own.certificatePem }) {
  const child = spawn(mirror.program, [], {
    env: {
      PATH: process.env["PATH"],
      TF_PLUGIN_MAGIC_COOKIE: COOKIE,
      PLUGIN_PROTOCOL_VERSIONS: "5,6",
      PLUGIN_UNIX_SOCKET_DIR: folder,
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const [core, version, network, socket, protocol, certificate] = line.split("|");
  return { child, core, version, network, socket: socket!, protocol, certificate };
}

function connect(socket: string, secure?: ChannelCredentials): PluginClient {
  const client = new PluginClient(socket, secure);
  clients.push(client);
  return client;
}

const secured = (theirs: string, identity = own): ChannelCredentials =>
  credentials.createSsl(
    Buffer.from(certificatePem(Buffer.from(theirs, "base64"))),
    Buffer.from(identity.keyPem),
    Buffer.from(identity.certificatePem),
  );

test("the handshake contains the path of a socket in a subfolder of PLUGIN_UNIX_SOCKET_DIR", async () => {
  const { core, version, network, socket, protocol } = await start();
  expect([core, version, network, protocol]).toEqual(["1", "6", "unix", "grpc"]);
  expect(path.dirname(path.dirname(socket))).toBe(folder);
});

test("after a Shutdown call, the provider's process removes its socket and exits", async () => {
  const { child, socket, certificate } = await start();
  const client = connect(socket, secured(certificate!));
  const ended = once(child, "exit");
  expect(await client.send(GRPC_CONTROLLER_SERVICE.Shutdown, {})).toEqual({});
  expect(await ended).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
});

test("the provider's process ignores SIGINT, because Terraform handles an interrupt", async () => {
  const { child, socket, certificate } = await start();
  child.kill("SIGINT");
  const { diagnostics } = await connect(socket, secured(certificate!)).call("GetFunctions", {});
  expect(diagnostics).toEqual([]);
});

test("after one SIGTERM, the provider's process removes its socket and exits", async () => {
  const { child } = await start();
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
});

test("if the client sends no certificate, the connection is unencrypted, as older clients require", async () => {
  const { socket, certificate } = await start({});
  expect(certificate).toBeUndefined();
  expect((await connect(socket).call("GetFunctions", {})).diagnostics).toEqual([]);
});

/**
 * A script that runs in the process before the provider. The script counts the scripts that Node compiles with a code
 * cache, and records the files outside of the package that the process reads. When the provider sets its V8 flags, the
 * script records the modules of Node that are loaded after this.
 */
const WATCH = `
  const fs = require("node:fs"), path = require("node:path"), vm = require("node:vm"), v8 = require("node:v8");
  const own = path.dirname(process.argv[1]) + path.sep;
  const seen = { cached: 0, outside: [], late: undefined };
  const { writeFileSync } = fs;
  for (const name of ["readFileSync", "openSync", "existsSync", "statSync", "readdirSync"]) {
    const call = fs[name];
    fs[name] = (file, ...given) => {
      if (typeof file === "string" && !path.resolve(file).startsWith(own)) seen.outside.push(file);
      return call(file, ...given);
    };
  }
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options);
      if (options?.cachedData) seen.cached++;
    }
  };
  const { setFlagsFromString } = v8;
  let count;
  v8.setFlagsFromString = (flag) => {
    count = process.moduleLoadList.length;
    setFlagsFromString(flag);
  };
  process.on("exit", () => {
    seen.late = process.moduleLoadList.slice(count).filter((name) => / (http2|tls|crypto|net|internal.(http2|crypto|tls))/.test(name));
    writeFileSync(process.env.WATCHED, JSON.stringify(seen));
  });`;

test("the provider reads no file outside of its package", async () => {
  const [watch, watched] = [path.join(mirror.folder, "watch.js"), path.join(mirror.folder, "watched.json")];
  writeFileSync(watch, WATCH);
  const { child, socket, certificate } = await start({
    PLUGIN_CLIENT_CERT: own.certificatePem,
    NODE_OPTIONS: `--require ${JSON.stringify(watch)}`,
    WATCHED: watched,
  });
  await connect(socket, secured(certificate!)).call("GetProviderSchema", {});
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  expect(JSON.parse(readFileSync(watched, "utf8"))).toEqual({ cached: 0, outside: [], late: [] });
});
