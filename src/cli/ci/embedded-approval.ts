import { createHmac, timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { type Approval, digestOf, parseApproval, readCopy } from "../approval/file";
import { fileKey, hideAddresses, revealAddresses } from "../approval/hidden-addresses";
import { addressesIn } from "../reports/safe-report";
import type { Terminal } from "../terminal/terminal";

const LINE = /^<!-- steward changes ([A-Za-z0-9+/=]+)(?: ([0-9a-f]{64}))? -->$/gm;

const SENSITIVE = /"\$sensitive": "[^"]*"/g;

/** The maximum number of characters of the packed text. The rest of a comment is the text that people read. */
const MAX_PACKED = 400_000;

/** The maximum number of bytes of the unpacked text. Steward writes no larger approval. */
const MAX_TEXT = 64 * 1024 * 1024;

/** The form of an e-mail address in copies of earlier releases: a digest, whose key is the token for comments. */
const HIDDEN = /«([0-9a-f]{64})(@|%40)»/g;

/** The key that encrypts e-mail addresses in copies; undefined without a token for comments. */
export const addressKey = (env: Terminal["env"]): string | undefined =>
  env["STEWARD_COMMENT_TOKEN"]?.trim() || undefined;

const hiddenAddress = (address: string, key: string): string =>
  createHmac("sha256", key).update(`steward address\n${address}`).digest("hex");

/** Returns the code of a copy. The code shows a later job that a job with the token for comments wrote the copy. */
const codeOf = (digest: string, hidden: string, key: string): string =>
  createHmac("sha256", key).update(`steward changes\n${digest}\n${hidden}`).digest("hex");

/**
 * Returns a hidden line that contains the approval file. From the line, the job of another request finds the changes of this
 * request. More people read comments than files: the line has encrypted e-mail addresses, and no hashes of sensitive values. Files
 * with such texts have no line without a key.
 *
 * @param text of the file
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
 * Reads the approval with this digest from a comment. Any other text in the comment is ignored, since it has another digest.
 *
 * @param addresses the e-mail addresses that a copy of an earlier release may have
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
 * Reads the copy of an approval. It names the people who have to approve, even before a plan exists. E-mail addresses and
 * sensitive values in the copy are hidden.
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
