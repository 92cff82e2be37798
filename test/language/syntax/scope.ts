import { evaluate, parseExpression, type Scope } from "../../../src/language/syntax";
import type { Value } from "../../../src/language/values";

/** A host that knows some names and nothing of what is in them. */
export const scopeOf = (values: Readonly<Record<string, Value>>): Scope => ({
  resolve: ({ root }) => (Object.hasOwn(values, root) ? { value: values[root]!, consumed: 0 } : undefined),
  names: () => Object.keys(values),
});

export const evaluated = (source: string, values: Readonly<Record<string, Value>> = {}): Value =>
  evaluate(parseExpression(source), scopeOf(values));
