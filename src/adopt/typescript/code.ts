/** A value in the source of an app. */
export type Code =
  /** An expression, such as `AccessLevel.MAINTAINER` or `true`. */
  | { readonly kind: "expression"; readonly text: string }
  | TextCode
  /** A text that begins with the path of the project whose settings it belongs to. */
  | { readonly kind: "own-path"; readonly rest: string }
  | ListCode
  | ObjectCode;

export interface TextCode {
  readonly kind: "text";
  /** As cdktf and Terraform must be given it. */
  readonly text: string;
}

export interface ListCode {
  readonly kind: "list";
  readonly items: readonly Code[];
  /** The type of an element, if its elements need one. */
  readonly elementType?: string;
}

export interface ObjectCode {
  readonly kind: "object";
  readonly entries: readonly Entry[];
}

/** A property; a key that is a string is the property's name in the source. */
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

const keys = new WeakMap<Code, string>();

/** A text that is equal for equal code. Code is compared again and again, and never changes. */
export function keyOf(code: Code): string {
  let key = keys.get(code);
  if (key === undefined) {
    key = JSON.stringify(code);
    keys.set(code, key);
  }
  return key;
}
