import { ExpressionError } from "./errors";
import type { Node, Range } from "./syntax";

/** Maximum height of a syntax tree: each level needs several stack frames of every tree walk. */
const MAX_HEIGHT = 1000;
/** Shorter texts can't be as deep. */
const SHORTEST_DEEP_TEXT = MAX_HEIGHT / 4;

/** The error for an expression that would exhaust the stack. */
export const tooDeep = (source: string, range: Range): ExpressionError =>
  new ExpressionError({
    summary: "Expression nested too deeply",
    detail: "The expression has too many nested levels or chained operators. Split it into several locals.",
    source,
    range,
  });

/** Refuses an expression that is too deep for tree walks. @throws ExpressionError */
export function checkHeight(source: string, root: Node): void {
  if (source.length < SHORTEST_DEEP_TEXT) return;
  let level: readonly object[] = [root];
  for (let height = 0; level.length > 0; height += 1) {
    if (height > MAX_HEIGHT) throw tooDeep(source, root.range);
    level = level.flatMap((part) => Object.values(part).filter(isObject));
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
