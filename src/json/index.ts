export {
  isDeeperThan,
  isYamlTooDeep,
  JsonDepthError,
  JsonSyntaxError,
  MAX_JSON_DEPTH,
  MAX_YAML_DEPTH,
  parseJson,
} from "./parse-json";
export * from "./write-json";
