import { elementsOf, listOf, STRING, string, textOf } from "../../values";
import { type FunctionTable, NOT_NULL } from "./function";

export const STRING_FUNCTIONS: FunctionTable = {
  lower: {
    params: { str: { type: STRING, dynamic: true } },
    returns: STRING,
    refine: NOT_NULL,
    call: ([str]) => string(textOf(str!).toLowerCase()),
  },
  upper: {
    params: { str: { type: STRING, dynamic: true } },
    returns: STRING,
    refine: NOT_NULL,
    call: ([str]) => string(textOf(str!).toUpperCase()),
  },
  join: {
    params: { separator: { type: STRING } },
    rest: ["lists", { type: listOf(STRING) }],
    returns: STRING,
    refine: NOT_NULL,
    call: ([separator, ...lists]) =>
      string(lists.flatMap((one) => elementsOf(one).map(textOf)).join(textOf(separator!))),
  },
};
