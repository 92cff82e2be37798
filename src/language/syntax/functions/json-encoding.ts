import {
  elementsOf,
  entriesOf,
  formatNum,
  fromJsonDynamic,
  isNull,
  numOf,
  parseJson,
  textOf,
  type Value,
} from "../../values";
import { FunctionError } from "./function";

/** Characters that Terraform writes as escapes though JSON does not ask for it. */
const ESCAPED = /[<>&\u2028\u2029]/g;

export const jsonText = (text: string): string =>
  JSON.stringify(text).replace(ESCAPED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** JSON as Terraform writes it: no space, keys in order. */
export function encodeJson(value: Value): string {
  if (isNull(value)) return "null";
  switch (value.type.kind) {
    case "string":
      return jsonText(textOf(value));
    case "number":
      return formatNum(numOf(value));
    case "bool":
      return String(value.content);
    case "map":
    case "object":
      return `{${[...entriesOf(value)].map(([key, one]) => `${jsonText(key)}:${encodeJson(one)}`).join(",")}}`;
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
