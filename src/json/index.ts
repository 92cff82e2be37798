export { defined } from "./defined";
export { isExact, JsonNumber, numberText, plainDecimal } from "./json-number";
export {
  isDeeperThan,
  isYamlTooDeep,
  JsonDepthError,
  JsonSyntaxError,
  MAX_JSON_DEPTH,
  MAX_YAML_DEPTH,
  parseJson,
} from "./parse-json";
export { quoteAsGo, stringifyJson } from "./write-json";
