import { numOf, toInteger, type Value } from "../../values";
import { FunctionError } from "./function";

/** A known number as a JS integer. @throws FunctionError that blames the argument */
export function integerOf(value: Value, argument: number): number {
  const integer = toInteger(numOf(value));
  if (integer === undefined) throw new FunctionError("a whole number is required", argument);
  return integer;
}
