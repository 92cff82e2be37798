import { generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { createServer } from "node:tls";
import type { Log } from "./log";

/** Terraform and its plugins recognize each other by this cookie. The cookie is a part of the protocol and not a secret. */
const COOKIE_NAME = "TF_PLUGIN_MAGIC_COOKIE";
const COOKIE = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const CORE_PROTOCOL = 1;
export const PROTOCOL_VERSION = 6;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment variables that Terraform sets for a plugin. */
export const handshakeEnvironment = (clientCertificate: string): Readonly<Record<string, string>> => ({
  [COOKIE_NAME]: COOKIE,
  PLUGIN_PROTOCOL_VERSIONS: String(PROTOCOL_VERSION),
  PLUGIN_CLIENT_CERT: clientCertificate,
});

/**
 * Returns the message for a user who starts the program by hand, or with a Terraform release that is too old; otherwise
 * undefined.
 */
export function refusal(env: Environment): string | undefined {
  if (env[COOKIE_NAME] !== COOKIE) {
    return (
      "This program is a plugin that Terraform and OpenTofu start themselves; it does nothing " +
      "when started by hand.\nName the provider in required_providers, and run terraform init.\n"
    );
  }
  const offered = env["PLUGIN_PROTOCOL_VERSIONS"]?.split(",") ?? [];
  if (offered.length === 0 || offered.includes(String(PROTOCOL_VERSION))) return undefined;
  return (
    `This provider speaks version ${PROTOCOL_VERSION} of the plugin protocol, and the client ` +
    `offers ${offered.join(", ")}. Use Terraform 1.0 or later, or OpenTofu.\n`
  );
}

/** Returns the line on stdout that Terraform needs to connect to the plugin. */
export function handshakeLine(socket: string, certificate: Buffer | undefined): string {
  const parts = [CORE_PROTOCOL, PROTOCOL_VERSION, "unix", socket, "grpc"];
  // Go's raw base64 has no padding.
  const own = certificate?.toString("base64").replace(/=+$/, "");
  return `${[...parts, ...(own === undefined ? [] : [own])].join("|")}\n`;
}

/** Returns whether a line is a handshake of this protocol version. */
export const isHandshakeLine = (line: string): boolean =>
  line.startsWith(`${CORE_PROTOCOL}|${PROTOCOL_VERSION}|`);

/** A certificate for one process, with its key. */
interface Identity {
  /** DER. */
  readonly certificate: Buffer;
  readonly certificatePem: string;
  readonly keyPem: string;
}

const HOUR = 3_600_000;
/** The lifetime of a certificate. The lifetime is longer than any apply, and too short for misuse of a leftover key. */
const LIFETIME = 30 * 24 * HOUR;

/**
 * Creates a self-signed P-256 certificate for `localhost`. Terraform and the plugin each present a certificate of
 * this kind. The certificate is its own authority, because the peer trusts only this certificate (RFC 5280).
 */
export function createIdentity(now = Date.now()): Identity {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid(COMMON_NAME), utf8("localhost"))));
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(now - HOUR), utcTime(now + LIFETIME)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(3, sequence(...EXTENSIONS)),
  );
  const certificate = sequence(content, ECDSA_WITH_SHA256, bits(signed(content, privateKey)));
  return {
    certificate,
    certificatePem: certificatePem(certificate),
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/**
 * Returns a certificate as PEM. Lines have 64 characters. There is no empty line at the end, because OpenSSL reads an
 * empty line as the end of the text.
 */
export function certificatePem(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

const signed = (content: Buffer, key: KeyObject): Buffer => sign("sha256", content, key);

/** Returns a serial number that is positive and has no leading zero byte, as DER requires. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}

const der = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(body.length)]), body]);
};

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return [0x80 | bytes.length, ...bytes];
}

const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content);
const set = (...content: readonly Buffer[]): Buffer => der(0x31, ...content);
const tagged = (number: number, content: Buffer): Buffer => der(0xa0 | number, content);
const integer = (content: Buffer): Buffer => der(0x02, content);
const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
const octets = (content: Buffer): Buffer => der(0x04, content);
const bits = (content: Buffer, unused = 0): Buffer => der(0x03, Buffer.from([unused]), content);
const boolean = (isTrue: boolean): Buffer => der(0x01, Buffer.from([isTrue ? 0xff : 0]));

/** `YYMMDDHHMMSSZ` */
const utcTime = (at: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));

function oid([first, second, ...rest]: readonly number[]): Buffer {
  const bytes = [first! * 40 + second!, ...rest.flatMap(base128)];
  return der(0x06, Buffer.from(bytes));
}

function base128(number: number): number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

const COMMON_NAME = [2, 5, 4, 3];
const ECDSA_WITH_SHA256 = sequence(oid([1, 2, 840, 10045, 4, 3, 2]));

const extension = (id: readonly number[], isCritical: boolean, content: Buffer): Buffer =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(content));

const EXTENSIONS = [
  // Basic constraints: an authority.
  extension([2, 5, 29, 19], true, sequence(boolean(true))),
  // Key usage: digital signature, key encipherment, certificate signing.
  extension([2, 5, 29, 15], true, bits(Buffer.from([0b1010_0100]), 2)),
  // Extended key usage: server, client.
  extension(
    [2, 5, 29, 37],
    false,
    sequence(oid([1, 3, 6, 1, 5, 5, 7, 3, 1]), oid([1, 3, 6, 1, 5, 5, 7, 3, 2])),
  ),
  // Alternative names: the DNS name localhost.
  extension([2, 5, 29, 17], false, sequence(der(0x82, Buffer.from("localhost")))),
];

/** The certificates of both ends, if the connection is encrypted. */
export interface Certificates {
  readonly own: Identity;
  /** PEM. */
  readonly client: string;
}

/**
 * Encrypts a connection. Calls `onSecure` after the client has proved that it has the key of its certificate. The
 * certificates are compared byte by byte. Node could verify the certificate by an authority, but would first parse
 * all known authorities.
 */
export function secure(
  socket: Socket,
  { own, client }: Certificates,
  log: Log,
  onSecure: (secured: Socket) => void,
): void {
  const refused = ({ message }: { readonly message: string }): void =>
    log("debug", "connection refused", { error: message });
  const admitted = new X509Certificate(client).raw;
  const server = createServer({
    cert: own.certificatePem,
    key: own.keyPem,
    ca: [],
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ["h2"],
  });
  server.on("secureConnection", (secured) => {
    if (secured.getPeerX509Certificate()?.raw.equals(admitted)) return onSecure(secured);
    refused({ message: "the client showed another certificate, or none" });
    secured.destroy();
  });
  server.on("tlsClientError", refused);
  server.emit("connection", socket);
}
