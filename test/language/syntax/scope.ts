import { type ExpressionError, evaluate, parseExpression, type Scope } from "../../../src/language/syntax";
import type { Value } from "../../../src/language/values";

/** A host that knows some names and nothing of what is in them. */
export const scopeOf = (values: Readonly<Record<string, Value>>): Scope => ({
  resolve: ({ root }) => (Object.hasOwn(values, root) ? { value: values[root]!, consumed: 0 } : undefined),
});

export const evaluated = (source: string, values: Readonly<Record<string, Value>> = {}): Value =>
  evaluate(parseExpression(source), scopeOf(values));

/** The part of a source that an error points at. */
export const partOf = (source: string, { range }: ExpressionError): string =>
  source.slice(range.start, range.end);
