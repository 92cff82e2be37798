import { randomUUID } from "node:crypto";
import { isExact } from "./decimal";
import { JsonNumber } from "./json-number";
import { faultIn } from "./syntax-fault";
import { tokensOf } from "./tokens";

/** Levels of arrays and objects within each other that are read. No document of ours has more than thirty. */
export const MAX_JSON_DEPTH = 512;

/** A text that is no JSON, or can't be read. The message says where, and never what stands there: it may be a secret. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name: string = "JsonSyntaxError";
}

/**
 * A JSON text whose values are nested deeper than `MAX_JSON_DEPTH`. It is no wrong syntax, but no more of use: whatever walks
 * through such a value runs out of stack.
 */
export class JsonDepthError extends JsonSyntaxError {
  override readonly name = "JsonDepthError";

  constructor() {
    super(`it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
}

/**
 * Reads JSON as `JSON.parse` does, but a number that a JS number would change becomes a `JsonNumber`. Takes no more than
 * `MAX_JSON_DEPTH` levels. Of a key that stands in an object twice, the last value counts.
 *
 * @throws JsonSyntaxError whose message names line and column
 * @throws JsonDepthError
 */
export function parseJson(text: string): unknown {
  const value = parseStrictly(text);
  if (isNested(value) && isDeeperThan(value, MAX_JSON_DEPTH)) throw new JsonDepthError();
  return MAY_HOLD_INEXACT.test(text) ? withExactNumbers(value, text) : value;
}

function parseStrictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new JsonSyntaxError(describeFault(text, faultIn(text)));
  }
}

function describeFault(text: string, position: number): string {
  if (position >= text.length) return "it ends too early";
  const before = text.slice(0, position).split("\n");
  return `it is not JSON at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** Numbers that are long or have an exponent. Finding one inside a string costs time, and nothing else. */
const MAY_HOLD_INEXACT = /[\d.](?:[\d.]{15}|[eE](?<=(?:^|[:[,\s])-?[\d.]+[eE])[+-]?\d)/;
// V8 compiles an expression when it runs for the second time, and a state has ten million characters.
MAY_HOLD_INEXACT.test("0");

/** Numbers that a JS number would change pass through `JSON.parse` as texts that begin with what no other text holds. */
function withExactNumbers(value: unknown, text: string): unknown {
  const mark = `${randomUUID()}:`;
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of tokensOf(text)) {
    if (!NUMBER_START.test(text[start]!) || isExact(text.slice(start, end))) continue;
    parts.push(text.slice(copied, start), `"${mark}${text.slice(start, end)}"`);
    copied = end;
  }
  if (copied === 0) return value;
  return JSON.parse(parts.join("") + text.slice(copied), (_, one: unknown) =>
    typeof one === "string" && one.startsWith(mark) ? new JsonNumber(one.slice(mark.length)) : one,
  );
}

const NUMBER_START = /[-\d]/;

/** Whether something stands below so many levels. It looks no deeper, so the stack always suffices. */
function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const inner: unknown = value[index];
      if (isNested(inner) && isDeeperThan(inner, levels - 1)) return true;
    }
    return false;
  }
  for (const name in value) {
    const inner: unknown = value[name as keyof typeof value];
    if (isNested(inner) && isDeeperThan(inner, levels - 1)) return true;
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
