/**
 * Terraform's values and types. Values are immutable; they are known, unknown or null, and may be sensitive.
 * Nothing here knows of expressions, configuration or resources.
 */

export { conversionFor, unify } from "./conversion";
export * from "./conversion-error";
export * from "./convert";
export { equalValues, rawEquals } from "./equality";
export { fromJson, fromJsonDynamic, toJson } from "./json";
export * from "./marks";
export * from "./number";
export { formatNum, formatNumAs, parseNum, toDouble } from "./number-text";
export { quote } from "./quote";
export { lengthRange, rangeOf } from "./ranges";
export { orderKey, set } from "./sets";
export * from "./type-json";
export * from "./types";
export { type RefinementUpdate, refine, unionOf, unknownAsNull, unknownNotNull } from "./unknowns";
export * from "./value";
