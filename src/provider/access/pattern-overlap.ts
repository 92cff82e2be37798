/** Whether some path matches both patterns, in which `*` matches any text. */
export function overlap(one: string, other: string): boolean {
  // Whether the rests match, for each rest of `other`, from the end of `one` to its start.
  let row = Array.from({ length: other.length + 1 }, (_, at) => isStars(other.slice(at)));
  for (let i = one.length - 1; i >= 0; i--) {
    const next = new Array<boolean>(other.length + 1).fill(false);
    next[other.length] = isStars(one.slice(i));
    for (let j = other.length - 1; j >= 0; j--) {
      if (one[i] === "*") next[j] = row[j]! || next[j + 1]!;
      else if (other[j] === "*") next[j] = next[j + 1]! || row[j]!;
      else next[j] = one[i] === other[j] && row[j + 1]!;
    }
    row = next;
  }
  return row[0]!;
}

const isStars = (text: string): boolean => /^\**$/.test(text);

/** Patterns, to find those that may match the same as another one: their texts before the first `*` continue each other. */
export class Patterns {
  /** By the text before the first `*`. */
  readonly #byStart = new Map<string, string[]>();
  /** In order: those that continue a text are neighbours. */
  readonly #starts: readonly string[];

  constructor(patterns: Iterable<string>) {
    for (const pattern of patterns) {
      const start = startOf(pattern);
      const known = this.#byStart.get(start);
      if (known === undefined) this.#byStart.set(start, [pattern]);
      else known.push(pattern);
    }
    this.#starts = [...this.#byStart.keys()].sort();
  }

  /** The other patterns that match some path that this one matches. */
  overlapping(pattern: string): string[] {
    const start = startOf(pattern);
    const found: string[] = [];
    const add = (other: string): void => {
      for (const one of this.#byStart.get(other) ?? [])
        if (one !== pattern && overlap(one, pattern)) found.push(one);
    };
    for (let length = 0; length < start.length; length++) add(start.slice(0, length));
    // A pattern without `*` matches nothing that continues it.
    if (!pattern.includes("*")) add(start);
    else
      for (let at = this.#firstFrom(start); this.#starts[at]?.startsWith(start); at++) add(this.#starts[at]!);
    return found.sort();
  }

  #firstFrom(text: string): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const startOf = (pattern: string): string => pattern.split("*", 1)[0]!;
