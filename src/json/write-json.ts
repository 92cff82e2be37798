import { JsonNumber } from "./json-number";

/** Writes JSON as `JSON.stringify` does, and a `JsonNumber` digit by digit. */
export function stringifyJson(json: unknown, indent = 0): string {
  return write(json, indent === 0 ? "" : `\n`, " ".repeat(indent));
}

function write(json: unknown, newline: string, indent: string): string {
  if (json instanceof JsonNumber) return json.text;
  if (typeof json !== "object" || json === null) return JSON.stringify(json) ?? "null";
  const inner = newline === "" ? "" : newline + indent;
  const wrap = (open: string, items: readonly string[], close: string): string =>
    items.length === 0 ? open + close : `${open}${inner}${items.join(`,${inner}`)}${newline}${close}`;
  if (Array.isArray(json))
    return wrap(
      "[",
      json.map((one) => write(one, inner, indent)),
      "]",
    );
  const colon = newline === "" ? ":" : ": ";
  const entries = Object.entries(json).filter(([, one]) => one !== undefined);
  return wrap(
    "{",
    entries.map(([key, one]) => JSON.stringify(key) + colon + write(one, inner, indent)),
    "}",
  );
}
