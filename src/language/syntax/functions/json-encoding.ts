import { parseJson, quoteAsGo } from "../../../json";
import {
  elementsOf,
  entriesOf,
  formatNum,
  fromJsonDynamic,
  isNull,
  numOf,
  textOf,
  type Value,
} from "../../values";
import { FunctionError } from "./function";

/** JSON as Terraform writes it: no space, keys in order. */
export function encodeJson(value: Value): string {
  if (isNull(value)) return "null";
  switch (value.type.kind) {
    case "string":
      return quoteAsGo(textOf(value));
    case "number":
      return formatNum(numOf(value));
    case "bool":
      return String(value.content);
    case "map":
    case "object":
      return `{${[...entriesOf(value)].map(([key, one]) => `${quoteAsGo(key)}:${encodeJson(one)}`).join(",")}}`;
    default:
      return `[${elementsOf(value).map(encodeJson).join(",")}]`;
  }
}

/** @throws FunctionError that blames the first argument */
export function decodeJson(text: string): Value {
  try {
    return fromJsonDynamic(parseJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new FunctionError(error.message, 0);
    throw error;
  }
}
