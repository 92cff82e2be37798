import { JsonSyntaxError, parseJson, positionText, type Token, tokensOf } from "./parse-json";

/**
 * The effect of a repeated key in an object. `refuse`: an error. `merge`: one list of all values, in which
 * lists are joined and nulls are left out. `keep-last`: the last value wins.
 */
export type Repetition = "refuse" | "merge" | "keep-last";

/** The error for an object that contains a key twice. The message contains the key and both positions. */
export class RepeatedKeyError extends JsonSyntaxError {
  override readonly name = "RepeatedKeyError";
}

/**
 * Reads handwritten JSON. It refuses an object that contains a key twice, because one of the values would be
 * ignored.
 *
 * @param decide receives the keys on the way to a repeated key, including this key; lists add no key
 * @throws JsonSyntaxError, as `parseJson`
 * @throws RepeatedKeyError
 */
export function parseHandwrittenJson(
  text: string,
  decide: (keys: readonly string[]) => Repetition = () => "refuse",
): unknown {
  const value = parseJson(text);
  // If the counts are equal, no key is repeated. A text may contain a part that looks like a key, so the
  // counts may also differ without a repeated key.
  if ((text.match(KEY_END)?.length ?? 0) === countKeys(value)) return value;
  const root = new TreeReader(text).read();
  return new Resolver(text, decide).valueOf(root, []);
}

const KEY_END = /"\s*:/g;

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countKeys(one), 0);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + 1 + countKeys(one), 0);
}

/** A value with the positions of its keys, and with repeated keys. */
type Node =
  | { readonly kind: "scalar"; readonly token: Token }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly entries: readonly Entry[] };

interface Entry {
  readonly key: string;
  /** The position of the key in the text. */
  readonly start: number;
  readonly node: Node;
}

/** Reads a text that is known to be JSON. */
class TreeReader {
  readonly #tokens: Iterator<Token>;
  #current: Token | undefined;

  constructor(private readonly text: string) {
    this.#tokens = tokensOf(text);
    this.#advance();
  }

  #advance(): void {
    const next = this.#tokens.next();
    this.#current = next.done === true ? undefined : next.value;
  }

  #isAt(character: string): boolean {
    return this.#current !== undefined && this.text[this.#current.start] === character;
  }

  #take(): Token {
    const token = this.#current!;
    this.#advance();
    return token;
  }

  read(): Node {
    const token = this.#take();
    const first = this.text[token.start];
    if (first === "{") return { kind: "object", entries: this.#entries() };
    if (first === "[") return { kind: "list", items: this.#items() };
    return { kind: "scalar", token };
  }

  #items(): Node[] {
    const items: Node[] = [];
    while (!this.#isAt("]")) {
      items.push(this.read());
      if (this.#isAt(",")) this.#advance();
    }
    this.#advance();
    return items;
  }

  #entries(): Entry[] {
    const entries: Entry[] = [];
    while (!this.#isAt("}")) {
      const { start, end } = this.#take();
      // The colon.
      this.#advance();
      entries.push({ key: JSON.parse(this.text.slice(start, end)) as string, start, node: this.read() });
      if (this.#isAt(",")) this.#advance();
    }
    this.#advance();
    return entries;
  }
}

class Resolver {
  constructor(
    private readonly text: string,
    private readonly decide: (keys: readonly string[]) => Repetition,
  ) {}

  valueOf(node: Node, keys: readonly string[]): unknown {
    if (node.kind === "scalar") return parseJson(this.text.slice(node.token.start, node.token.end));
    if (node.kind === "list") return node.items.map((one) => this.valueOf(one, keys));
    const byKey = new Map<string, Entry[]>();
    for (const entry of node.entries) {
      const same = byKey.get(entry.key);
      if (same === undefined) byKey.set(entry.key, [entry]);
      else same.push(entry);
    }
    const found: Record<string, unknown> = {};
    for (const [key, entries] of byKey) {
      const value = this.#single([...keys, key], entries);
      // `defineProperty` also works for the key `__proto__`.
      Object.defineProperty(found, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return found;
  }

  #single(keys: readonly string[], entries: readonly Entry[]): unknown {
    const [first, second] = entries as [Entry, Entry | undefined];
    if (second === undefined) return this.valueOf(first.node, keys);
    switch (this.decide(keys)) {
      case "merge":
        return entries.flatMap(({ node }) => this.valueOf(node, keys)).filter((one) => one !== null);
      case "keep-last":
        return this.valueOf(entries.at(-1)!.node, keys);
      case "refuse":
        throw new RepeatedKeyError(
          `it has the key ${JSON.stringify(first.key)} twice in one object, at ${this.#place(first)} and at ${this.#place(second)}`,
        );
    }
  }

  #place({ start }: Entry): string {
    return positionText(this.text, start);
  }
}
