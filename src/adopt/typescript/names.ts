/** Returns the words of a text, such as `web` and `shop` for `web-shop`. A word consists of ASCII letters and digits. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== "");

/** Converts a name to the form of construct attributes: `protected_environment` to `protectedEnvironment`. */
export const camelCase = (text: string): string =>
  text.toLowerCase().replace(/_+([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** Converts a name to the form of classes: `web-shop` to `WebShop`. */
export const pascalCase = (text: string): string =>
  wordsOf(text)
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .join("");

/** The maximum length of a name that comes from a text of the service. */
const LONGEST = 60;

/** Converts a name to the form of constants: `web-shop` to `WEB_SHOP`. A long name is cut after the last word that fits. */
export function constantCase(text: string): string {
  let name = "";
  for (const word of wordsOf(text)) {
    if (name.length + word.length > LONGEST) break;
    name += name === "" ? word : `_${word}`;
  }
  return /^\d/.test(name) ? `_${name.toUpperCase()}` : name.toUpperCase();
}

/** Makes names unique. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Returns the first candidate that is not taken. If all candidates are taken, adds a number to the first candidate. */
  take(candidates: readonly string[], separator = "_"): string {
    const [first = "VALUE"] = candidates;
    let name = candidates.find((each) => !this.#taken.has(each));
    for (let number = 2; name === undefined; number++) {
      const numbered = `${first}${separator}${number}`;
      if (!this.#taken.has(numbered)) name = numbered;
    }
    this.#taken.add(name);
    return name;
  }
}

/**
 * Returns a construct id from texts of the service. Terraform resource names come from this id, so it contains only characters
 * that these names allow.
 */
export const idText = (...parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/[^A-Za-z\d_-]+/g, "-").replace(/^-+|-+$/g, ""))
    .filter((part) => part !== "")
    .map((part) => part.slice(0, LONGEST))
    .join("-");

/** Compares texts in an order that is the same on every machine. Numbers in texts are compared by value. */
export function byText(one: string, other: string): number {
  const order = one.localeCompare(other, "en", { numeric: true });
  if (order !== 0 || one === other) return order;
  return one < other ? -1 : 1;
}
