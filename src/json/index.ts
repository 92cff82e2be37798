export { JsonDepthError, MAX_JSON_DEPTH, parseJson } from "./parse-json";
export { isYamlTooDeep, MAX_YAML_DEPTH } from "./yaml-depth";
