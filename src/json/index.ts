export { isExact, numberText, plainDecimal } from "./decimal";
export { isDeeperThan } from "./json-depth";
export { JsonNumber } from "./json-number";
export { JsonDepthError, JsonSyntaxError, MAX_JSON_DEPTH, parseJson } from "./parse-json";
export { quoteAsGo, stringifyJson } from "./write-json";
export { isYamlTooDeep, MAX_YAML_DEPTH } from "./yaml-depth";
