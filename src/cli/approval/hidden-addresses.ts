import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import { replaceAddresses } from "../reports/safe-report";
import type { Terminal } from "../terminal/terminal";

/**
 * An encrypted e-mail address in a text. The letter says how the address was written: `a` with `@`, `p` with `%40`. The nonce
 * is a keyed digest of the address, so the same address always has the same encrypted form. Therefore, the same text has the
 * same digest after each encryption. Steward can't decrypt an encrypted address that a person edited.
 */
const HIDDEN = /«([ap])\.([\w-]{32,})»/g;

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;

/** Returns the secret of the pipeline that encrypts e-mail addresses in approval files; undefined if no secret is set. */
export const fileKey = (env: Terminal["env"]): string | undefined =>
  env["STEWARD_ADDRESS_KEY"]?.trim() || undefined;

const derived = (key: string, use: string): Buffer => createHmac("sha256", key).update(use).digest();

/** Encrypts the e-mail addresses in a text. Without a key, returns the text unchanged. */
export function hideAddresses(text: string, key: string | undefined): string {
  if (key === undefined) return text;
  const [digestKey, cipherKey] = [derived(key, "steward nonce"), derived(key, "steward cipher")];
  return replaceAddresses(text, (address, at) => {
    const nonce = createHmac("sha256", digestKey).update(address).digest().subarray(0, NONCE);
    const cipher = createCipheriv(CIPHER, cipherKey, nonce);
    const encrypted = Buffer.concat([cipher.update(address, "utf8"), cipher.final()]);
    const packed = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString("base64url");
    return `«${at === "@" ? "a" : "p"}.${packed}»`;
  });
}

/** Returns true if a text contains an encrypted e-mail address. */
export const hasHidden = (text: string): boolean => text.search(HIDDEN) >= 0;

/** Decrypts the addresses in a text. An address that was encrypted with another key stays encrypted. */
export function revealAddresses(text: string, key: string | undefined): string {
  if (key === undefined) return text;
  const cipherKey = derived(key, "steward cipher");
  return text.replace(HIDDEN, (whole, at: string, packed: string) => {
    const address = decrypted(Buffer.from(packed, "base64url"), cipherKey);
    if (address === undefined) return whole;
    return at === "a" ? address : address.replace("@", "%40");
  });
}

function decrypted(packed: Buffer, key: Buffer): string | undefined {
  try {
    const cipher = createDecipheriv(CIPHER, key, packed.subarray(0, NONCE), { authTagLength: TAG });
    cipher.setAuthTag(packed.subarray(NONCE, NONCE + TAG));
    return Buffer.concat([cipher.update(packed.subarray(NONCE + TAG)), cipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}
