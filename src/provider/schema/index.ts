export * from "./attribute";
export * from "./enumeration";
export * from "./plan";
export * from "./reference";
export * from "./schema";
export { invalidValue, validateAttributes } from "./validate";
export * from "./value";
