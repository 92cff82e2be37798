import { type ExpressionError, evaluate, parseExpression, type Scope } from "../../../src/language/syntax";
import type { Value } from "../../../src/language/values";

/** Returns a scope with these names and values. */
export const scopeOf = (values: Readonly<Record<string, Value>>): Scope => ({
  resolve: ({ root }) => (Object.hasOwn(values, root) ? { value: values[root]!, consumed: 0 } : undefined),
});

export const evaluated = (source: string, values: Readonly<Record<string, Value>> = {}): Value =>
  evaluate(parseExpression(source), scopeOf(values));

/** Returns the part of a source to which an error points. */
export const partOf = (source: string, { range }: ExpressionError): string =>
  source.slice(range.start, range.end);
