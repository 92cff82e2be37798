/** A shared thing: a whole set, or one entry of it. */
export interface Share {
  /** Such as `members of space 42`. */
  readonly place: string;
  /** The entry's key; absent for the whole set. */
  readonly entry?: string | undefined;
}

const NONE: readonly never[] = [];

/** The holders of one set: thousands of entries may be held individually. */
class Place<H> {
  readonly #ofAll: H[] = [];
  readonly #ofEntries = new Map<string, H[]>();

  add(entry: string | undefined, holder: H): void {
    if (entry === undefined) this.#ofAll.push(holder);
    else {
      const holders = this.#ofEntries.get(entry);
      if (holders === undefined) this.#ofEntries.set(entry, [holder]);
      else holders.push(holder);
    }
  }

  of(entry: string | undefined): readonly H[] {
    const ofEntries =
      entry === undefined ? [...this.#ofEntries.values()].flat() : (this.#ofEntries.get(entry) ?? NONE);
    return this.#ofAll.length === 0 ? ofEntries : [...this.#ofAll, ...ofEntries];
  }
}

/** Holders by set and entry. */
export class ShareIndex<H> {
  readonly #places = new Map<string, Place<H>>();

  add({ place, entry }: Share, holder: H): void {
    let known = this.#places.get(place);
    if (known === undefined) {
      known = new Place<H>();
      this.#places.set(place, known);
    }
    known.add(entry, holder);
  }

  /** The holders of it, of the whole set, or of a part of it. */
  of({ place, entry }: Share): readonly H[] {
    return this.#places.get(place)?.of(entry) ?? NONE;
  }
}
