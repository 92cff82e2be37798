export { JsonDepthError, MAX_JSON_DEPTH, parseJson } from "./parse-json";
