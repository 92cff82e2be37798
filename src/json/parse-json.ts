/** Levels of arrays and objects within each other that are read. No document of ours has more than thirty. */
export const MAX_JSON_DEPTH = 512;

/**
 * A JSON text whose values are nested deeper than `MAX_JSON_DEPTH`. It is no wrong syntax, but no more of use: whatever walks
 * through such a value runs out of stack.
 */
export class JsonDepthError extends SyntaxError {
  override readonly name = "JsonDepthError";

  constructor() {
    super(`it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
}

/**
 * Reads JSON that others wrote, as `JSON.parse` does, and takes no more than `MAX_JSON_DEPTH` levels.
 *
 * @throws SyntaxError of JSON.parse, whose message may hold a part of the text
 * @throws JsonDepthError
 */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  const value: unknown = JSON.parse(text);
  checkDepth(value);
  // With a reviver JSON.parse calls itself for each level, and without one it does not.
  return reviver === undefined ? value : JSON.parse(text, reviver);
}

/** Goes through a value level by level, as a walk into the depth is what a deep one breaks. */
function checkDepth(value: unknown): void {
  let level = isNested(value) ? [value] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) throw new JsonDepthError();
    const next: object[] = [];
    for (const each of level) {
      // An array has indexes in the place of names; this is the quickest way through both.
      for (const name in each) {
        const inner: unknown = each[name as keyof typeof each];
        if (isNested(inner)) next.push(inner);
      }
    }
    level = next;
  }
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;
