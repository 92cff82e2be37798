import { string } from "../values";
import type { Scanner } from "./scanner";
import type { Literal, Node } from "./syntax";

/** A bare word is a key by itself; in parentheses it is a reference. */
export function asKey(key: Node, scanner: Scanner): Node {
  if (key.kind === "literal") return keywordKey(key, scanner);
  if (key.kind !== "reference") return key;
  if (key.traversal.steps.length > 0) {
    throw scanner.error(
      "Ambiguous attribute key",
      "A key with dots or brackets is put in parentheses when it is a reference, in quotes when it is a text.",
      key.range,
    );
  }
  return { kind: "literal", value: string(key.traversal.root), range: key.range };
}

/** `true`, `false` and `null` are keys by themselves too. */
function keywordKey(key: Literal, scanner: Scanner): Node {
  const word = scanner.source.slice(key.range.start, key.range.end);
  return KEYWORDS.has(word) ? { ...key, value: string(word) } : key;
}

const KEYWORDS: ReadonlySet<string> = new Set(["true", "false", "null"]);
