// Reads and writes JSON and handwritten YAML with exact numbers and errors that name the line. It does not check what
// the content means.

export { type HandwrittenYaml, parseHandwrittenYaml } from "./handwritten-yaml";
export {
  isDeeperThan,
  isYamlTooDeep,
  JsonDepthError,
  JsonSyntaxError,
  MAX_JSON_DEPTH,
  MAX_YAML_DEPTH,
  parseJson,
  positionText,
} from "./parse-json";
export { parseHandwrittenJson, RepeatedKeyError, type Repetition } from "./repeated-keys";
export * from "./write-json";
