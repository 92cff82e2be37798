// Attribute types of resources, and how their values are validated, planned and compared. This module knows no
// resource and sends no requests.

export * from "./attribute";
export * from "./helpers";
export * from "./plan";
export * from "./schema";
export { elementStep, invalidValue, validateAttributes } from "./validate";
export * from "./value";
