/** Replaces a sensitive value in output. */
export const SENSITIVE = "(sensitive value)";

/** Shorter texts occur in ordinary words: they are only replaced as whole words. */
const MIN_SUBSTRING_LENGTH = 8;

/**
 * Replaces sensitive values in text, such as messages of the service and ids that contain a sensitive name.
 */
export class SensitiveTexts {
  readonly #texts = new Set<string>();
  /** The values with their JSON and URL encodings. */
  #encodings: readonly string[] | undefined;

  /** Adds every text and number within a value. */
  add(value: unknown): void {
    if (typeof value === "string" && value !== "") this.#add(value);
    else if (typeof value === "number" || typeof value === "bigint") this.#add(String(value));
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) this.add(one);
  }

  #add(text: string): void {
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    this.#encodings = undefined;
  }

  /** Replaces long values in any text: a short one could be an ordinary word. */
  redactText(text: string): string {
    if (this.#texts.size === 0) return text;
    this.#encodings ??= encodingsOf([...this.#texts].filter(({ length }) => length >= MIN_SUBSTRING_LENGTH));
    return this.#encodings.reduce((left, secret) => left.replaceAll(secret, SENSITIVE), text);
  }

  /** Replaces long and short values in an id, which consists of names and numbers, ignoring case. */
  redactId(id: string): string {
    let shown = this.redactText(id);
    for (const text of this.#texts) if (text.length <= shown.length) shown = redactWord(shown, text);
    return shown;
  }

  /** Treats paths and quoted parts of a message as ids; elsewhere, it replaces only long values. */
  redactMessage(text: string): string {
    if (this.#texts.size === 0) return text;
    return this.redactText(
      text
        .replace(QUOTED, (quoted) => `"${this.redactId(quoted.slice(1, -1))}"`)
        .replace(PATH, (path) => this.redactPath(path)),
    );
  }

  /** Treats each part of a URL path as an id. */
  redactPath(path: string): string {
    if (this.#texts.size === 0) return path;
    return path
      .split("/")
      .map((part) => {
        const decoded = decode(part);
        return this.redactId(decoded) === decoded ? part : SENSITIVE;
      })
      .join("/");
  }
}

const encodingsOf = (texts: readonly string[]): string[] =>
  [
    ...new Set(texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])),
  ].sort((one, other) => other.length - one.length);

const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;
const PATH = /(?<=^|[\s(])\/[^\s/][^\s,;)]*/g;

const WORD = /[\p{L}\p{N}]/u;

/** Replaces whole words, and long values anywhere. */
function redactWord(shown: string, text: string): string {
  const [from, word] = [shown.toLowerCase(), text.toLowerCase()];
  // Lower case may change the length; then only exact matches are replaced.
  if (from.length !== shown.length || word.length !== text.length) return shown.replaceAll(text, SENSITIVE);
  const isLong = word.length >= MIN_SUBSTRING_LENGTH;
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
