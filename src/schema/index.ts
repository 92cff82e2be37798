export * from "./attribute";
export { configurationOf } from "./configuration";
export * from "./difference";
export { elementStep } from "./element-step";
export * from "./enumeration";
export { groupBy } from "./group-by";
export * from "./memoize";
export * from "./plan";
export * from "./reference";
export * from "./schema";
export type * from "./stored-state";
export { invalidValue, validateAttributes } from "./validate";
export * from "./value";
export {
  schemaJson,
  type WireAttribute,
  type WireType,
  wireAttribute,
  wireIdentityAttribute,
  wireType,
} from "./wire";
