import { constants, createHash, createPrivateKey, type KeyObject, privateDecrypt } from "node:crypto";
import { FunctionError, type FunctionTable, textFn } from "./function";
import { decodeBase64 } from "./text-encoding";

const hash = (algorithm: string, encoding: "hex" | "base64") =>
  textFn("str", (text) => createHash(algorithm).update(text, "utf8").digest(encoding));

const NAMESPACES: Readonly<Record<string, string>> = {
  dns: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  oid: "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
  x500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
};

const UUID = /^(?:urn:uuid:)?\{?([0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})\}?$/i;

/** Returns the UUID of a name in a namespace (RFC 9562, version 5). */
function uuidv5(namespace: string, name: string): string {
  const match = UUID.exec(NAMESPACES[namespace] ?? namespace);
  if (match === null) throw new FunctionError('a namespace must be "dns", "url", "oid", "x500" or a UUID', 0);
  const space = Buffer.from(match[1]!.replaceAll("-", ""), "hex");
  const digest = createHash("sha1").update(space).update(name, "utf8").digest().subarray(0, 16);
  digest[6] = (digest[6]! & 0x0f) | 0x50;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function privateKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // The original error is not included, because it can contain parts of the key.
    throw new FunctionError(
      "it is not a private key in PEM format (PKCS#1 or PKCS#8, without a passphrase)",
      1,
    );
  }
  throw new FunctionError("it is not an RSA key", 1);
}

/**
 * Returns the decrypted text. This code removes the padding of PKCS#1 v1.5 itself, because some versions of Node refuse to remove
 * it.
 */
function rsaDecrypt(ciphertext: string, pem: string): string {
  const key = privateKey(pem);
  const failed = new FunctionError("the text was not encrypted for this key");
  let block: Buffer;
  try {
    block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, decodeBase64(ciphertext));
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    throw failed;
  }
  const end = block.indexOf(0, 2);
  if (block[0] !== 0 || block[1] !== 2 || end < 10) throw failed;
  return block.subarray(end + 1).toString("utf8");
}

const HASH_FUNCTIONS: FunctionTable = {
  base64sha256: hash("sha256", "base64"),
  base64sha512: hash("sha512", "base64"),
  md5: hash("md5", "hex"),
  rsadecrypt: textFn("ciphertext privatekey", rsaDecrypt),
  sha1: hash("sha1", "hex"),
  sha256: hash("sha256", "hex"),
  sha512: hash("sha512", "hex"),
  uuidv5: textFn("namespace name", uuidv5),
};

export = HASH_FUNCTIONS;
