// A provider in Node that does only the minimum work of a plan under Terraform. The provider sends the recorded
// responses in the folder BENCH_RECORDING, with Node's HTTP/2 and TLS. If BENCH_RECORD is set, it runs Steward's
// provider instead, and records each request with its response in this folder.
const { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } = require("node:fs");
const { performServerHandshake } = require("node:http2");
const { createServer } = require("node:net");
const { tmpdir } = require("node:os");
const path = require("node:path");
const tls = require("node:tls");

const DIST = path.join(__dirname, "..", "..", "dist");
const RECORDING = process.env.BENCH_RECORDING;
/** The number of bytes before a gRPC message. These bytes contain the compression flag and the length. */
const PREFIX = 5;

/**
 * Returns the recording of an RPC. Each RPC has its own file, because most starts of a provider use only a few RPCs.
 */
const fileOf = (procedure) => path.join(RECORDING, path.basename(procedure));

function record() {
  const transport = require(path.join(DIST, "transport"));
  const write = (procedure, request, answer) => {
    const lengths = Buffer.alloc(8);
    lengths.writeUInt32LE(request.length);
    lengths.writeUInt32LE(answer.length, 4);
    appendFileSync(fileOf(procedure), Buffer.concat([lengths, request, answer]));
    return answer;
  };
  const recorded = ([name, { kind, answer }]) => {
    const asked = async (request, call) => write(name, Buffer.from(request), await answer(request, call));
    return [name, kind === "unary" ? { kind, answer: asked } : { kind, answer }];
  };
  class GrpcServer extends transport.GrpcServer {
    constructor(connection, options) {
      super(connection, { ...options, procedures: new Map([...options.procedures].map(recorded)) });
    }
  }
  require.cache[require.resolve(path.join(DIST, "transport"))].exports = { ...transport, GrpcServer };
  require(path.join(DIST, "cli", "plugin-program"));
}

const answers = new Map();

/**
 * Returns the recorded responses of an RPC by their requests. Each response begins with gRPC's prefix. Returns
 * undefined for an RPC without a recording: its stream stays open.
 */
function answersOf(procedure) {
  if (answers.has(procedure)) return answers.get(procedure);
  const known = existsSync(fileOf(procedure)) ? new Map() : undefined;
  answers.set(procedure, known);
  const bytes = known ? readFileSync(fileOf(procedure)) : Buffer.alloc(0);
  for (let at = 0; at < bytes.length; ) {
    const [request, answer] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    const framed = Buffer.alloc(PREFIX + answer);
    framed.writeUInt32BE(answer, 1);
    bytes.copy(framed, PREFIX, at + 8 + request, at + 8 + request + answer);
    known.set(bytes.latin1Slice(at + 8, at + 8 + request), framed);
    at += 8 + request + answer;
  }
  return known;
}

function answer(stream, headers) {
  const known = answersOf(headers[":path"]);
  stream.on("error", () => undefined);
  if (known === undefined) return void stream.resume();
  let body;
  stream.on("data", (piece) => (body = body ? Buffer.concat([body, piece]) : piece));
  stream.on("end", () => {
    const found = known.get(body.latin1Slice(PREFIX));
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": found ? "0" : "5" }));
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.end(found);
  });
}

function replay() {
  const { createIdentity, handshakeLine } = require(path.join(DIST, "plugin", "transport", "handshake"));
  const identity = createIdentity();
  const secured = tls.createServer({
    cert: identity.certificatePem,
    key: identity.keyPem,
    ca: [],
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
  });
  secured.on("secureConnection", (connection) => {
    connection.on("close", () => process.exit());
    const session = performServerHandshake(connection, { settings: { initialWindowSize: 2 ** 20 } });
    session.setLocalWindowSize(2 ** 24);
    session.on("stream", answer);
  });
  const folder = mkdtempSync(path.join(tmpdir(), "steward-bare-"));
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const socket = path.join(folder, "plugin.sock");
  createServer((connection) => secured.emit("connection", connection)).listen(socket, () =>
    process.stdout.write(handshakeLine(socket, identity.certificate)),
  );
}

if (process.env.BENCH_RECORD) record();
else replay();
