// Replaces node:crypto in the sources. Random values come from the seed, and scrypt costs almost no time.
import * as real from "node:crypto";
import { isSimulating, simulation } from "./simulation";

export * from "node:crypto";

export function randomBytes(count: number): Buffer {
  if (!isSimulating()) return real.randomBytes(count);
  simulation().call();
  return simulation().random.bytes(count);
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Derives a key with one fast digest, because simulated keys need no strength. */
export function scryptSync(password: string, salt: string | Buffer, length: number): Buffer {
  const digest = real.createHash("sha512").update(salt).update(password).digest();
  return Buffer.concat([digest, digest]).subarray(0, length);
}
