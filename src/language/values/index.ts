// The values of Terraform's language: types, conversion, equality, and marks such as sensitive. The module `language/syntax`
// contains expressions.

export * from "./conversion";
export { equalValues, isRawEqual } from "./equality";
export { fromJson, fromJsonDynamic, fromPlain, toPlain } from "./json";
export * from "./marks";
export * from "./number";
export { formatNum, formatNumAs, parseNum, toDouble } from "./number-text";
export { isLengthCertain, lengthRange, rangeOf } from "./ranges";
export { distinctValues, quote, set } from "./sets";
export * from "./types";
export { type RefinementUpdate, refine, unionOf, unknownAsNull, unknownNotNull } from "./unknowns";
export * from "./value";
