import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate for one process, with its key. */
export interface Identity {
  /** DER. */
  readonly certificate: Buffer;
  readonly certificatePem: string;
  readonly keyPem: string;
}

const HOUR = 3_600_000;
/** Longer than any apply, too short for misuse of a leftover key. */
const LIFETIME = 30 * 24 * HOUR;

/**
 * A self-signed P-256 certificate for `localhost`, such as both ends of a plugin connection present. It is
 * its own authority, since the other end trusts this certificate alone (RFC 5280).
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

/** Lines of 64 characters without an empty last line, which OpenSSL reads as the end of the text. */
export function certificatePem(certificate: Buffer): string {
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

const signed = (content: Buffer, key: KeyObject): Buffer => sign("sha256", content, key);

/** Positive and without a leading zero byte, as DER requires. */
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
const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));

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

const extension = (id: readonly number[], critical: boolean, content: Buffer): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(content));

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
