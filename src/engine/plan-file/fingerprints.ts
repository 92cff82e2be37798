import { createHash, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import { JsonNumber } from "../../json";
import type { Configuration } from "../../language";
import { canonicalJson, type Value } from "../../schema";
import { digestOf, formatState, type State } from "../../state";

/** The fingerprint of a state. */
export interface StateFingerprint {
  readonly lineage: string;
  readonly serial: number;
  readonly digest: string;
}

/** The fingerprint of a state; null without a state. */
export const stateFingerprint = (state: State | undefined): StateFingerprint | null =>
  state === undefined
    ? null
    : { lineage: state.lineage, serial: state.serial, digest: digestOf(formatState(state)) };

/**
 * A digest of the declarations, independent of file names. The backend is left out: it is a path on one
 * machine, and the state has a fingerprint of its own.
 */
export function configurationDigest({ files }: Configuration): string {
  const declared = files.map(({ json }) =>
    canonical({ ...json, terraform: withoutBackend(json["terraform"]) }),
  );
  return createHash("sha256").update(declared.sort().join("\n")).digest("base64");
}

function withoutBackend(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutBackend);
  if (typeof json !== "object" || json === null) return json;
  const { backend: _, ...rest } = json as Record<string, unknown>;
  return rest;
}

/** A line that is inserted above a declaration changes its position, and not what it declares. */
function withoutPosition(comment: unknown): unknown {
  const { metadata, ...rest } = Object(comment) as { readonly metadata?: unknown };
  if (typeof metadata !== "object" || metadata === null) return comment;
  const { position: _, ...others } = metadata as Record<string, unknown>;
  return { ...rest, metadata: others };
}

function canonical(value: unknown): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(name === "//" ? withoutPosition(one) : one)}`);
  return `{${fields.sort().join(",")}}`;
}

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

export function isHashOf({ salt, hash }: ValueHash, value: Value): boolean {
  const expected = Buffer.from(hash, "base64");
  return expected.length === LENGTH && timingSafeEqual(expected, hashOf(value, salt));
}
