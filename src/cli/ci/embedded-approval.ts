import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { type Approval, digestOf, parseApproval, readCopy } from "../approval/file";
import { fileKey, hideAddresses, revealAddresses } from "../approval/hidden-addresses";
import { addressesIn } from "../reports/safe-report";
import type { Terminal } from "../terminal/terminal";

const LINE = /^<!-- steward changes ([A-Za-z0-9+/=]+)(?: ([0-9a-f]{64}))? -->$/gm;

const SENSITIVE = /"\$sensitive": "[^"]*"/g;

/**
 * The maximum number of characters of the packed copy of an approval in a comment. The rest of the comment is for the text
 * that people read.
 */
const MAX_PACKED = 400_000;

/** The maximum number of bytes that Steward unpacks from a copy. Steward never writes a larger copy. */
const MAX_TEXT = 64 * 1024 * 1024;

/**
 * Matches an e-mail address in a copy from an earlier release: a digest of the address, with the token for comments as the key.
 */
const HIDDEN = /«([0-9a-f]{64})(@|%40)»/g;

/**
 * Returns the key that encrypts e-mail addresses in copies: the token for comments. Returns undefined if this token is not set.
 */
export const addressKey = (env: Terminal["env"]): string | undefined =>
  env["STEWARD_COMMENT_TOKEN"]?.trim() || undefined;

const hiddenAddress = (address: string, key: string): string =>
  createHmac("sha256", key).update(`steward address\n${address}`).digest("hex");

/**
 * Returns the authentication code of a copy. The authentication code proves to a later job that a job with the token for
 * comments wrote the copy.
 */
const codeOf = (digest: string, hidden: string, key: string): string =>
  createHmac("sha256", key).update(`steward changes\n${digest}\n${hidden}`).digest("hex");

/**
 * Returns a hidden line for a comment, with a copy of the approval file. A job that applies a different merge request reads the
 * changes of this merge request from the line. More people can read comments than files, so the line encrypts e-mail addresses
 * and omits the hashes of sensitive values. Returns undefined if the copy would be too long, or if the file has e-mail
 * addresses and `key` is undefined.
 *
 * @param text the text of the approval file
 */
export function embeddedApproval(text: string, key: string | undefined): string | undefined {
  const hidden = hideAddresses(text.replace(SENSITIVE, '"$sensitive": ""'), key);
  if (key === undefined && (hidden !== text || addressesIn(text).length > 0)) return undefined;
  const packed = gzipSync(hidden, { level: 9 }).toString("base64");
  if (packed.length > MAX_PACKED) return undefined;
  const code = key === undefined ? "" : ` ${codeOf(digestOf(text), hidden, key)}`;
  return `<!-- steward changes ${packed}${code} -->`;
}

/**
 * Reads the approval with this digest from a comment. Ignores all other texts in the comment, because they have other digests.
 *
 * @param addresses the e-mail addresses that a copy of an earlier release may contain as digests
 */
export function approvalWith(
  digest: string,
  body: string,
  addresses: ReadonlySet<string>,
  env: Terminal["env"],
): Approval | undefined {
  const key = addressKey(env);
  for (const [, packed] of body.matchAll(LINE)) {
    const hidden = unpacked(packed!);
    if (hidden === undefined) continue;
    const known = new Map([...addresses].map((address) => [hiddenAddress(address, key ?? ""), address]));
    const text = revealAddresses(hidden, key).replace(
      HIDDEN,
      (whole, hash: string, at: string) => known.get(hash)?.replace("@", at) ?? whole,
    );
    if (digestOf(text) === digest) return parseApproval(Buffer.from(text), "the comment", fileKey(env));
  }
  return undefined;
}

/**
 * Reads the copy of an approval from a comment. Steward learns from the copy who has to approve, before Steward makes a plan.
 * The copy hides e-mail addresses and sensitive values.
 *
 * @returns undefined unless a job with this key wrote the copy for this digest
 */
export function copyWith(digest: string, body: string, key: string | undefined): Approval | undefined {
  if (key === undefined) return undefined;
  for (const [, packed, code] of body.matchAll(LINE)) {
    const hidden = code === undefined ? undefined : unpacked(packed!);
    if (hidden === undefined) continue;
    if (timingSafeEqual(Buffer.from(code!), Buffer.from(codeOf(digest, hidden, key))))
      return readCopy(hidden);
  }
  return undefined;
}

function unpacked(packed: string): string | undefined {
  try {
    return gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: MAX_TEXT }).toString();
  } catch {
    return undefined;
  }
}
