export * from "./attribute";
export * from "./enumeration";
export { JsonNumber } from "./json-number";
export * from "./plan";
export * from "./reference";
export * from "./remembered";
export * from "./schema";
export { invalidValue, validateAttributes } from "./validate";
export * from "./value";
