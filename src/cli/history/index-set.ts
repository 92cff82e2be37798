/** A set of small numbers that takes a bit for each: a year of hourly reports has millions of them. */
export class IndexSet {
  #bits = new Uint8Array(0);

  add(index: number): void {
    const at = index >> 3;
    if (at >= this.#bits.length) this.#grow(at + 1);
    this.#bits[at]! |= 1 << (index & 7);
  }

  addAll(other: IndexSet): void {
    if (other.#bits.length > this.#bits.length) this.#grow(other.#bits.length);
    for (const [at, bits] of other.#bits.entries()) this.#bits[at]! |= bits;
  }

  has(index: number): boolean {
    return ((this.#bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
  }

  #grow(bytes: number): void {
    const grown = new Uint8Array(bytes + (bytes >> 2));
    grown.set(this.#bits);
    this.#bits = grown;
  }
}
