export { isExact, plainDecimal } from "./decimal";
export { JsonNumber } from "./json-number";
export { JsonDepthError, MAX_JSON_DEPTH, parseJson } from "./parse-json";
export { stringifyJson } from "./write-json";
export { isYamlTooDeep, MAX_YAML_DEPTH } from "./yaml-depth";
