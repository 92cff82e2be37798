/** Reserved for required parts at the end, such as the number of omitted objects. */
const RESERVE = 400;

/** Collects text up to a maximum length in UTF-8 bytes. Services that count characters count fewer. */
export class Budget {
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit - RESERVE;
  }

  /** Adds a part if it fits. */
  try(part: string): boolean {
    if (this.#length + Buffer.byteLength(part) > this.#limit) return false;
    this.must(part);
    return true;
  }

  /** Adds a part even beyond the limit. */
  must(part: string): void {
    this.#parts.push(part);
    this.#length += Buffer.byteLength(part);
  }

  text(): string {
    return this.#parts.join("");
  }
}
