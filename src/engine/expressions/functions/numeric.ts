import { compareNum, NUMBER, negate, number, numOf, sign } from "../../values";
import { type FunctionTable, NOT_NULL } from "./function";

export const NUMERIC_FUNCTIONS: FunctionTable = {
  abs: {
    params: { num: { type: NUMBER, dynamic: true } },
    returns: NUMBER,
    refine: { ...NOT_NULL, min: 0 },
    call: ([num]) => number(sign(numOf(num!)) < 0 ? negate(numOf(num!)) : numOf(num!)),
  },
  max: {
    params: {},
    rest: ["numbers", { type: NUMBER, dynamic: true }],
    returns: NUMBER,
    refine: NOT_NULL,
    call: (args) => number(args.map(numOf).reduce((a, b) => (compareNum(b, a) > 0 ? b : a))),
  },
};
