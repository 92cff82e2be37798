// The types of attributes with a fixed list of values, and the check of such a value at synthesis. All other values are
// checked by `steward validate`.

import { Token } from "cdktf";

declare const tokenOf: unique symbol;

/**
 * A value that only plan or apply knows, such as a reference, a variable or the result of a function. Use
 * `fromToken`, for example `AccessLevel.fromToken(level.numberValue)`.
 */
export type TokenOf<Name extends string, Value extends string | number> = Value & {
  readonly [tokenOf]: Name;
};

/** Adds `fromToken` to the named values of an enumeration. `Object.entries` does not list `fromToken`. */
export function closedSet<Set extends { fromToken(token: never): unknown }>(
  name: string,
  members: Omit<Set, "fromToken">,
): Set {
  const values = Object.values(members) as readonly (string | number)[];
  const fromToken = (token: string | number) => {
    if (values.includes(token) || isToken(token)) return token;
    throw new Error(
      `${JSON.stringify(token)} is neither a token nor a value of ${name}. ` +
        `Use a reference, a variable's value, or one of ${values.map((one) => JSON.stringify(one)).join(", ")}.`,
    );
  };
  return Object.defineProperty({ ...members }, "fromToken", { value: fromToken }) as unknown as Set;
}

/** Returns whether a value contains an expression. An expression is a token of cdktf, or a text such as `"${var.level}"`. */
const isToken = (value: string | number): boolean =>
  Token.isUnresolved(value) || (typeof value === "string" && value.includes("${"));
