/**
 * A number of JSON that a JS number would change, such as 9007199254740993 or one of thirty digits. No attribute of a
 * provider has one: only a value of any type, or an output, can be as long as the language lets numbers be.
 */
export class JsonNumber {
  constructor(readonly text: string) {}

  /** For code that does not care: the nearest JS number. */
  valueOf(): number {
    return Number(this.text);
  }

  /** The same, for `JSON.stringify`. `stringifyJson` of the engine keeps the digits. */
  toJSON(): number {
    return this.valueOf();
  }

  toString(): string {
    return this.text;
  }
}
