import { gunzipSync, gzipSync } from "node:zlib";
import { type Approval, digestOf, formatApproval, parseApproval } from "../approval/file";
import { emailMask } from "../reports/safe-report";

const LINE = /^<!-- steward changes ([A-Za-z0-9+/=]+) -->$/gm;

/** Characters of the packed text. The rest of a comment has what people read. */
const MAX_PACKED = 400_000;

/** Bytes of the unpacked text. Steward writes no larger approval. */
const MAX_TEXT = 64 * 1024 * 1024;

/**
 * Returns a hidden line that contains the approval file. From the line, the job of another request finds the changes of this
 * request. Files with e-mail addresses or hashes of sensitive values have no such line, since more people read comments than
 * files.
 */
export function embeddedApproval(approval: Approval): string | undefined {
  const text = formatApproval(approval);
  if (text.includes('"$sensitive"') || emailMask()(text) !== text) return undefined;
  const packed = gzipSync(text, { level: 9 }).toString("base64");
  return packed.length > MAX_PACKED ? undefined : `<!-- steward changes ${packed} -->`;
}

/** Reads the approval with this digest from a comment. Any other text in the comment is ignored, since it has another digest. */
export function approvalWith(digest: string, body: string): Approval | undefined {
  for (const [, packed] of body.matchAll(LINE)) {
    const text = unpacked(packed!);
    if (text !== undefined && digestOf(text) === digest) return parseApproval(text, "the comment");
  }
  return undefined;
}

function unpacked(packed: string): Buffer | undefined {
  try {
    return gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: MAX_TEXT });
  } catch {
    return undefined;
  }
}
