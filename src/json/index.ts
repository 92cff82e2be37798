// Reads and writes JSON and handwritten YAML with exact numbers and errors that name the line. It does not check what
// the content means.

export {
  type HandwrittenYaml,
  isYamlTooDeep,
  MAX_YAML_DEPTH,
  parseHandwrittenYaml,
} from "./handwritten-yaml";
export {
  isDeeperThan,
  JsonDepthError,
  JsonSyntaxError,
  MAX_JSON_DEPTH,
  parseHandwrittenJson,
  parseJson,
  RepeatedKeyError,
  type Repetition,
} from "./parse-json";
export { positionText } from "./tokens";
export * from "./write-json";
