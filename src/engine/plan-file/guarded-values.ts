import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { canonicalJson, type Value } from "../../schema";

/** Lets a value be recognized, and not be found out: scrypt with a salt of its own. Both in base64. */
export interface Guard {
  readonly [name: string]: string;
  readonly salt: string;
  readonly hash: string;
}

const LENGTH = 32;

const hashOf = (value: Value, salt: string): Buffer =>
  scryptSync(canonicalJson(value), Buffer.from(salt, "base64"), LENGTH);

export function guardFor(value: Value): Guard {
  const salt = randomBytes(16).toString("base64");
  return { salt, hash: hashOf(value, salt).toString("base64") };
}

export function isGuarded({ salt, hash }: Guard, value: Value): boolean {
  const expected = Buffer.from(hash, "base64");
  return expected.length === LENGTH && timingSafeEqual(expected, hashOf(value, salt));
}
