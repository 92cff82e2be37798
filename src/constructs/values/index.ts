// The types of attributes with a fixed list of values, and the check of these values at synthesis. `steward validate` checks all
// other values.

import { Token } from "cdktf";

declare const tokenOf: unique symbol;

/**
 * A value that is known only during plan or apply, such as a reference, a variable or the result of a function. `fromToken`
 * creates such a value, for example `AccessLevel.fromToken(level.numberValue)`.
 */
export type TokenOf<Name extends string, Value extends string | number> = Value & {
  readonly [tokenOf]: Name;
};

/** Returns the members of an enumeration with the function `fromToken`. `Object.entries` lists only the members. */
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

/** Returns whether a value is an expression: a token of cdktf, or a text such as `"${var.level}"`. */
const isToken = (value: string | number): boolean =>
  Token.isUnresolved(value) || (typeof value === "string" && value.includes("${"));
