import { randomUUID } from "node:crypto";
import { faultIn, positionText, type Token, tokensOf } from "./tokens";
import { isExact, JsonNumber } from "./write-json";

/** The maximum number of nested arrays and objects. No document of Steward has more than thirty levels. */
export const MAX_JSON_DEPTH = 512;

/**
 * The error for a text that is not JSON, or that Steward can't read. The message contains the position, but never the text at
 * this position, because the text can be a secret.
 */
export class JsonSyntaxError extends SyntaxError {
  override readonly name: string = "JsonSyntaxError";
}

/**
 * The error for a JSON text that is nested deeper than `MAX_JSON_DEPTH`. The syntax of the text is valid, but a
 * recursive function that reads the value could exhaust the stack.
 */
export class JsonDepthError extends JsonSyntaxError {
  override readonly name = "JsonDepthError";

  constructor() {
    super(`it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
}

/**
 * Reads JSON like `JSON.parse`. A number that a JS number can't represent becomes a `JsonNumber`. Accepts at most
 * `MAX_JSON_DEPTH` levels. The last duplicate key wins; `parseHandwrittenJson` refuses duplicate keys.
 *
 * @throws JsonSyntaxError whose message names line and column
 * @throws JsonDepthError
 */
export function parseJson(text: string): unknown {
  const value = parseStrictly(text);
  // Each level takes at least two characters, so a short text is never too deep.
  const canBeDeep = text.length > 2 * MAX_JSON_DEPTH && isNested(value);
  if (canBeDeep && isNestedDeeper(value, MAX_JSON_DEPTH)) throw new JsonDepthError();
  return MAY_HOLD_INEXACT.test(text) ? withExactNumbers(value, text) : value;
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new JsonSyntaxError(describeFault(text, faultIn(text)));
  }
}

function describeFault(text: string, position: number): string {
  if (position >= text.length) return "it ends too early";
  return `it is not JSON at ${positionText(text, position)}`;
}

/**
 * Matches numbers with many digits or an exponent, because a JS number can't represent all such numbers exactly. A
 * match inside a string only costs time.
 */
const MAY_HOLD_INEXACT = /[\d.](?:[\d.]{15}|[eE](?<=(?:^|[:[,\s])-?[\d.]+[eE])[+-]?\d)/;
// V8 compiles a pattern to machine code when the pattern runs for the second time. This first run therefore makes the run on a
// state fast. A state can have ten million characters.
MAY_HOLD_INEXACT.test("0");

/**
 * Returns the value of a JSON text, with a `JsonNumber` for each number that a JS number would change. `JSON.parse` receives
 * these numbers as strings that begin with a random mark. Returns `value` if no number would change.
 */
function withExactNumbers(value: unknown, text: string): unknown {
  const mark = `${randomUUID()}:`;
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of tokensOf(text)) {
    if (!NUMBER_START.test(text[start]!) || isExact(text.slice(start, end))) continue;
    parts.push(text.slice(copied, start), `"${mark}${text.slice(start, end)}"`);
    copied = end;
  }
  if (copied === 0) return value;
  return JSON.parse(parts.join("") + text.slice(copied), (_, one: unknown) =>
    typeof one === "string" && one.startsWith(mark) ? new JsonNumber(one.slice(mark.length)) : one,
  );
}

const NUMBER_START = /[-\d]/;

/**
 * Returns whether a value has more than `levels` levels. The function goes no deeper than `levels`, so the function
 * can't exhaust the stack.
 */
function isNestedDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const inner: unknown = value[index];
      if (isNested(inner) && isNestedDeeper(inner, levels - 1)) return true;
    }
    return false;
  }
  for (const name in value) {
    const inner: unknown = value[name as keyof typeof value];
    if (isNested(inner) && isNestedDeeper(inner, levels - 1)) return true;
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns whether the objects and lists in a JSON text are nested deeper than a limit. The text can be invalid JSON, because
 * the function only counts brackets outside of strings.
 */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isQuoted) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isQuoted = false;
    } else if (code === QUOTE) isQuoted = true;
    // 0x5b and 0x7b are `[` and `{`. Below, 0x5d and 0x7d are `]` and `}`.
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

/**
 * The treatment of a key that an object contains several times. `refuse` throws an error. `merge` returns one list of all
 * values: it joins lists and leaves out nulls. `keep-last` returns the last value.
 */
export type Repetition = "refuse" | "merge" | "keep-last";

/** The error for an object that contains a key twice. The message contains the key and both positions. */
export class RepeatedKeyError extends JsonSyntaxError {
  override readonly name = "RepeatedKeyError";
}

/**
 * Reads handwritten JSON. Refuses an object that contains a key twice, because one of the values would be ignored.
 *
 * @param source the text, or the bytes of a file; a byte order mark at their beginning is left out
 * @param decide returns the treatment of a repeated key; it receives the keys from the root to this key, without list indexes
 * @throws JsonSyntaxError, like `parseJson`
 * @throws RepeatedKeyError
 */
export function parseHandwrittenJson(
  source: string | Uint8Array,
  decide: (keys: readonly string[]) => Repetition = () => "refuse",
): unknown {
  const text = typeof source === "string" ? source : decode(source);
  const value = parseJson(text);
  // If the text has as many keys as the value, no key is repeated. The counts can also differ without a repeated key, because a
  // string can contain text that looks like a key.
  if ((text.match(KEY_END)?.length ?? 0) === countKeys(value)) return value;
  const root = new TreeReader(text).read();
  return new Resolver(text, decide).valueOf(root, []);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new JsonSyntaxError("it is not UTF-8: save it in that encoding");
  }
}

const KEY_END = /"\s*:/g;

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countKeys(one), 0);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + 1 + countKeys(one), 0);
}

/** A parsed value that contains repeated keys too, with the position of each key. */
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

/** Reads a valid JSON text into a `Node`. */
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
      // An assignment to the key `__proto__` would set the prototype of the object. `defineProperty` creates a key.
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
