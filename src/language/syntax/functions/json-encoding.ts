import { quoteAsGo } from "../../../json";
import { formatNum, type Value } from "../../values";

/** JSON as Terraform writes it: no space, keys in order. */
export function encodeJson(value: Value): string {
  if (value.isNull) return "null";
  switch (value.type.kind) {
    case "string":
      return quoteAsGo(value.text);
    case "number":
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
