import { JsonFault, tokensOf } from "./tokens";

/** Where in a list or an object a token stands. */
type Expected = "value" | "first value" | "key" | "first key" | "colon" | "next";

/**
 * The position of the first character that makes a text no JSON; its length where more should follow.
 * For a text that `JSON.parse` refuses: what that says of the place differs from one fault and one release of Node to the next.
 */
export function faultIn(text: string): number {
  /** What ends each list and object that is open. */
  const open: string[] = [];
  let expected: Expected = "value";
  try {
    for (const { start } of tokensOf(text)) {
      const after = take(text[start]!, expected, open);
      if (after === undefined) return start;
      expected = after;
    }
  } catch (fault) {
    if (fault instanceof JsonFault) return fault.position;
    throw fault;
  }
  return text.length;
}

/** What is expected after a token that begins so; nothing where it may not stand there. */
function take(first: string, expected: Expected, open: string[]): Expected | undefined {
  const isEnd = first === open.at(-1) && (expected === "next" || expected.startsWith("first"));
  if (isEnd) {
    open.pop();
    return "next";
  }
  switch (expected) {
    case "key":
    case "first key":
      return first === '"' ? "colon" : undefined;
    case "colon":
      return first === ":" ? "value" : undefined;
    case "next":
      if (first !== "," || open.length === 0) return undefined;
      return open.at(-1) === "}" ? "key" : "value";
    default:
      return takeValue(first, open);
  }
}

function takeValue(first: string, open: string[]): Expected | undefined {
  if (first === "{") {
    open.push("}");
    return "first key";
  }
  if (first === "[") {
    open.push("]");
    return "first value";
  }
  return "]},:".includes(first) ? undefined : "next";
}
