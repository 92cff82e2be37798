import { quoteAsGo } from "../../../json";
import { formatNum, isInfinite, type Value } from "../../values";
import { FunctionError } from "./function";

/**
 * Returns a value as JSON in Terraform's format: without spaces, and with sorted keys. @throws FunctionError for an infinite
 * number
 */
export function encodeJson(value: Value): string {
  if (value.isNull) return "null";
  switch (value.type.kind) {
    case "string":
      return quoteAsGo(value.text);
    case "number":
      if (isInfinite(value.num)) throw new FunctionError("JSON has no infinite numbers", 0);
      return formatNum(value.num);
    case "bool":
      return String(value.content);
    case "map":
    case "object":
      return `{${[...value.entries].map(([key, one]) => `${quoteAsGo(key)}:${encodeJson(one)}`).join(",")}}`;
    default:
      return `[${value.elements.map(encodeJson).join(",")}]`;
  }
}
