/** What is shown in place of a sensitive value. */
export const SENSITIVE = "(sensitive value)";

/** Shorter texts stand in ordinary words, so that they are looked for as whole words alone. */
const SHORTEST_ANYWHERE = 8;

/**
 * Texts that are not to be shown. What others write, and what is made of them, such as an id with a sensitive name in it, is
 * shown without them.
 */
export class SensitiveTexts {
  readonly #texts = new Set<string>();
  /** The same in the spellings of JSON and of addresses. */
  #spellings: readonly string[] | undefined;

  /** Keeps every text and number inside of a value. */
  keep(value: unknown): void {
    if (typeof value === "string" && value !== "") this.#add(value);
    else if (typeof value === "number" || typeof value === "bigint") this.#add(String(value));
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) this.keep(one);
  }

  #add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#spellings = undefined;
  }

  /** A text of any kind, without the long ones: a short one could be an ordinary word. */
  hideIn(text: string): string {
    if (this.#texts.size === 0) return text;
    this.#spellings ??= spellingsOf([...this.#texts].filter(({ length }) => length >= SHORTEST_ANYWHERE));
    return this.#spellings.reduce((left, secret) => left.replaceAll(secret, SENSITIVE), text);
  }

  /** An id, which is made of names and numbers: without the short ones as well, in whatever case they are written. */
  hideInId(id: string): string {
    let shown = this.hideIn(id);
    for (const text of this.#texts) if (text.length <= shown.length) shown = hideWord(shown, text);
    return shown;
  }

  /** A message: paths of addresses, and what it quotes, as ids; all else without the long ones. */
  hideInMessage(text: string): string {
    if (this.#texts.size === 0) return text;
    return this.hideIn(
      text
        .replace(QUOTED, (quoted) => `"${this.hideInId(quoted.slice(1, -1))}"`)
        .replace(PATH, (path) => this.hideInPath(path)),
    );
  }

  /** The path of an address, each part of it as an id. */
  hideInPath(path: string): string {
    if (this.#texts.size === 0) return path;
    return path
      .split("/")
      .map((part) => {
        const decoded = decode(part);
        return this.hideInId(decoded) === decoded ? part : SENSITIVE;
      })
      .join("/");
  }
}

const spellingsOf = (texts: readonly string[]): string[] =>
  [
    ...new Set(texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])),
  ].sort((one, other) => other.length - one.length);

const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;
const PATH = /(?<=^|[\s(])\/[^\s/][^\s,;)]*/g;

const WORD = /[\p{L}\p{N}]/u;

/** Replaces a text where it is no part of a longer word, and anywhere where it is long. */
function hideWord(shown: string, text: string): string {
  const [from, word] = [shown.toLowerCase(), text.toLowerCase()];
  // Another case may have another length: then only what is written alike is found.
  if (from.length !== shown.length || word.length !== text.length) return shown.replaceAll(text, SENSITIVE);
  const isLong = word.length >= SHORTEST_ANYWHERE;
  let result = "";
  let done = 0;
  for (let at = from.indexOf(word); at >= 0; at = from.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isWhole = !WORD.test(from[at - 1] ?? "") && !WORD.test(from[end] ?? "");
    if (at < done || !(isLong || isWhole)) continue;
    result += shown.slice(done, at) + SENSITIVE;
    done = end;
  }
  return result + shown.slice(done);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign that encodes nothing.
    return part;
  }
}
