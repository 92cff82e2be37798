import { createHash } from "node:crypto";

const SERIAL_LINE = /^ {2}"serial": \d+,$/m;

/** A digest of a state's content without the serial. */
export class StateDigest {
  private readonly hash = createHash("sha256");
  private isHead = true;

  add(part: string): void {
    this.hash.update(this.isHead ? part.replace(SERIAL_LINE, "") : part);
    this.isHead = false;
  }

  value(): string {
    return this.hash.digest("base64");
  }

  /** Passes the parts on; the digest is complete after the last one. */
  *through(parts: Iterable<string>): Generator<string> {
    for (const part of parts) {
      this.add(part);
      yield part;
    }
  }
}

export function digestOf(text: string): string {
  const digest = new StateDigest();
  digest.add(text);
  return digest.value();
}
