import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { canonicalJson, type Value } from "../../schema";

/** A salted scrypt hash, to recognize a value without revealing it. Both fields are base64. */
export interface ValueHash {
  readonly [name: string]: string;
  readonly salt: string;
  readonly hash: string;
}

const LENGTH = 32;

const hashOf = (value: Value, salt: string): Buffer =>
  scryptSync(canonicalJson(value), Buffer.from(salt, "base64"), LENGTH);

export function hashValue(value: Value): ValueHash {
  const salt = randomBytes(16).toString("base64");
  return { salt, hash: hashOf(value, salt).toString("base64") };
}

export function matchesHash({ salt, hash }: ValueHash, value: Value): boolean {
  const expected = Buffer.from(hash, "base64");
  return expected.length === LENGTH && timingSafeEqual(expected, hashOf(value, salt));
}
