// Terraform's JSON language: configuration, addresses, expressions and values. This module contains no code about providers or
// states, and reads only configuration files.

export * from "./addresses/address";
export { loadLabelled } from "./configuration/blocks";
export { configurationFrom, loadConfiguration } from "./configuration/load";
export { keyOf } from "./configuration/load-adjustments";
export { constantValues, isPlainBlock, plainValues } from "./configuration/load-resource";
export {
  FOLLOWED_TERRAFORM_VERSION,
  isAllowedVersion,
} from "./configuration/load-terraform";
export * from "./configuration/model";
export {
  type EvaluatedBody,
  evaluateBody,
  infinitePath,
  toPlainAs,
} from "./evaluation/body";
export { Evaluation, locate } from "./evaluation/evaluation";
export { providerFunction } from "./evaluation/provider-function";
export {
  missingRepetition,
  type ReferenceProblem,
  type Repetition,
  unsupportedName,
} from "./evaluation/repetition";
export { impliedType, sensitiveAttributes } from "./evaluation/schema-types";
export * from "./syntax";
export * from "./values";
