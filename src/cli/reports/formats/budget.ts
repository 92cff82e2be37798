/** Room for what must be said in the end, such as how much is left out. */
const RESERVE = 400;

/** Gathers text up to a length, counted in UTF-8 bytes: no service counts more than these. */
export class Budget {
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit - RESERVE;
  }

  /** Takes a part if it still fits. */
  try(part: string): boolean {
    if (this.#length + Buffer.byteLength(part) > this.#limit) return false;
    this.must(part);
    return true;
  }

  /** Takes a part in any case. */
  must(part: string): void {
    this.#parts.push(part);
    this.#length += Buffer.byteLength(part);
  }

  text(): string {
    return this.#parts.join("");
  }
}
