import { escapeUnsafe } from "../model/source-text";

/** A value in the source of an app. */
export type Code =
  /** An expression, such as `AccessLevel.MAINTAINER` or `true`. */
  | { readonly kind: "expression"; readonly text: string }
  | TextCode
  /** A text that begins with the path of the project whose settings contain the text. `rest` is the text after the path. */
  | { readonly kind: "own-path"; readonly rest: string }
  | ListCode
  | ObjectCode;

export interface TextCode {
  readonly kind: "text";
  /** The text with the escapes that cdktf and Terraform need. */
  readonly text: string;
}

export interface ListCode {
  readonly kind: "list";
  readonly items: readonly Code[];
  /** The TypeScript type of one element, for a list whose type must be declared. */
  readonly elementType?: string;
}

export interface ObjectCode {
  readonly kind: "object";
  readonly entries: readonly Entry[];
}

/** A property of an object in code. A key of type `string` is printed unchanged. */
export type Entry = readonly [key: string | KeyCode, value: Code];
export type KeyCode = Exclude<Code, ListCode | ObjectCode>;

export const expression = (text: string): Code => ({ kind: "expression", text });
export const text = (value: string): TextCode => ({ kind: "text", text: value });
export const list = (items: readonly Code[], elementType?: string): ListCode => ({
  kind: "list",
  items,
  ...(elementType !== undefined && { elementType }),
});
export const object = (entries: readonly Entry[]): ObjectCode => ({ kind: "object", entries });

/** Returns the value of a property, by its name in the source. */
export const propertyOf = ({ entries }: ObjectCode, name: string): Code | undefined =>
  entries.find(([key]) => key === name)?.[1];

/** Returns a copy of the code, in which `change` replaces each item of a list, and each value and computed key of an object. */
export function mapParts(code: Code, change: (part: Code) => Code): Code {
  if (code.kind === "list") return { ...code, items: code.items.map(change) };
  if (code.kind !== "object") return code;
  return object(
    code.entries.map(([key, value]): Entry => {
      const changed = typeof key === "string" ? key : (change(key) as KeyCode);
      return [changed, change(value)];
    }),
  );
}

/** Yields a piece of code, and all pieces of code inside of it. */
export function* codesIn(code: Code): Generator<Code> {
  yield code;
  if (code.kind === "list") for (const item of code.items) yield* codesIn(item);
  if (code.kind !== "object") return;
  for (const [key, value] of code.entries) {
    if (typeof key !== "string") yield key;
    yield* codesIn(value);
  }
}

/** Returns the first name in each expression of the code, such as `AccessLevel` or `email`. */
export const namesIn = (code: Code): string[] =>
  [...codesIn(code)].flatMap((one) =>
    one.kind === "expression" ? (/^[A-Za-z_]\w*/.exec(one.text) ?? []) : [],
  );

/**
 * Returns whether the package exports a name. A name from the package begins with a capital and a small letter. Names of an app's
 * constants and functions do not.
 */
export const isOfPackage = (name: string): boolean => /^(?:type )?[A-Z][a-z]/.test(name);

const keys = new WeakMap<Code, string>();

/** Returns a key for code. Equal code has equal keys. The key is cached, because code is compared often and never changes. */
export function keyOf(code: Code): string {
  let key = keys.get(code);
  if (key === undefined) {
    key = JSON.stringify(code);
    keys.set(code, key);
  }
  return key;
}

const escapeCharacter = (found: string): string =>
  Array.from(
    { length: found.length },
    (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/** Returns the number of parts into which a character divides a text. */
const partsAround = (text: string, character: string): number => text.split(character).length;

/** Returns a string literal with exactly this value, in the kind of quotes that needs fewer escapes. */
export function stringLiteral(text: string): string {
  const quote = partsAround(text, '"') > partsAround(text, "'") ? "'" : '"';
  return `${quote}${escapeUnsafe(text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`), escapeCharacter)}${quote}`;
}

/** Returns the text to put between the backticks of a template literal, so that the literal has exactly this value. */
export const templateText = (text: string): string =>
  escapeUnsafe(
    text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${"),
    escapeCharacter,
  );

/** Returns the number of columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** Matches a character that is two columns wide: an East Asian character or a picture. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
