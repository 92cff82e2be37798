import { parseJson } from "../../json";
import type { Literal, LiteralEntry } from "./literals";

/** A token of valid JSON: a scalar, or a character of the structure. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** What a JSON text spells, with places. @throws JsonSyntaxError */
export function jsonLiteral(source: string): Literal {
  parseJson(source);
  const tokens = [...source.matchAll(TOKEN)].map((match) => ({ text: match[0], start: match.index }));
  let at = 0;
  const value = (): Literal => {
    const { text, start } = tokens[at++]!;
    if (text !== "[" && text !== "{") {
      const scalar = JSON.parse(text) as string | number | boolean | null;
      return { start, end: start + text.length, scalar };
    }
    const items: Literal[] = [];
    const entries: LiteralEntry[] = [];
    while (!["]", "}"].includes(tokens[at]!.text)) {
      if (text === "[") items.push(value());
      else {
        const key = tokens[at]!;
        at += 2;
        const inner = value();
        entries.push({ key: JSON.parse(key.text) as string, start: key.start, end: inner.end, value: inner });
      }
      if (tokens[at]!.text === ",") at++;
    }
    const end = tokens[at++]!.start + 1;
    return text === "[" ? { start, end, items } : { start, end, entries };
  };
  return value();
}
