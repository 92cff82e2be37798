/**
 * A JSON number that a JS number can't represent, such as 9007199254740993 or one of thirty digits. Provider
 * attributes never hold one: only values of any type and outputs have numbers of arbitrary precision.
 */
export class JsonNumber {
  constructor(readonly text: string) {}

  /** The nearest JS number. */
  valueOf(): number {
    return Number(this.text);
  }

  /** For `JSON.stringify`; `stringifyJson` keeps all digits. */
  toJSON(): number {
    return this.valueOf();
  }

  toString(): string {
    return this.text;
  }
}
