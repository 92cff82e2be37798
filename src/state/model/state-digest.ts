import { createHash } from "node:crypto";

const SERIAL_LINE = /^ {2}"serial": \d+,$/m;

/** Gathers what tells one content of a state from another: all of its text but the serial. */
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

  /** Passes the parts on, and has gathered them all when they are through. */
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
