import { JsonNumber, numberText } from "./json-number";

/** Writes JSON as `JSON.stringify` does, but a `JsonNumber` digit by digit, and zero with its sign. */
export function stringifyJson(json: unknown, indent = 0): string {
  return write(json, indent === 0 ? "" : `\n`, " ".repeat(indent));
}

function write(json: unknown, newline: string, indent: string): string {
  if (json instanceof JsonNumber) return json.text;
  if (Object.is(json, -0)) return numberText(-0);
  if (typeof json !== "object" || json === null) return JSON.stringify(json) ?? "null";
  const inner = newline === "" ? "" : newline + indent;
  let items = "";
  if (Array.isArray(json)) {
    for (const one of json) items += `${items === "" ? inner : `,${inner}`}${write(one, inner, indent)}`;
    return items === "" ? "[]" : `[${items}${newline}]`;
  }
  const colon = newline === "" ? ":" : ": ";
  for (const [key, one] of Object.entries(json))
    if (one !== undefined)
      items += `${items === "" ? inner : `,${inner}`}${JSON.stringify(key)}${colon}${write(one, inner, indent)}`;
  return items === "" ? "{}" : `{${items}${newline}}`;
}

/** Characters that Go's encoder escapes and JavaScript's does not. */
const ESCAPED_BY_GO = /[<>&\u2028\u2029]/g;

/** A text in JSON as Go's encoder writes it, and so Terraform. */
export const quoteAsGo = (text: string): string =>
  JSON.stringify(text).replace(
    ESCAPED_BY_GO,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
