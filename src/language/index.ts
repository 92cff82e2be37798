export {
  addressOfObject,
  instanceAddress,
  moduleChain,
  objectName,
  parseAddress,
  type ResourceAddress,
  resourceAddress,
  type StateAddress,
} from "./addresses/address";
export {
  type Backend,
  type CheckDeclaration,
  type Condition,
  type Configuration,
  configurationFrom,
  type FleetDeclaration,
  type FleetLayer,
  type FleetSelection,
  type ImportDeclaration,
  type Lifecycle,
  loadConfiguration,
  type MoveDeclaration,
  NO_LIFECYCLE,
  type OutputDeclaration,
  type ProviderDeclaration,
  type ResourceDeclaration,
  type VariableDeclaration,
} from "./configuration";
export { loadLabelled } from "./configuration/blocks";
export { keyOf } from "./configuration/load-adjustments";
export {
  FOLLOWED_TERRAFORM_VERSION,
  isAllowedVersion,
} from "./configuration/load-terraform";
export { type EvaluatedBody, evaluateBody } from "./evaluation/body";
export { Evaluation, locate, type Repetition } from "./evaluation/evaluation";
export {
  impliedType,
  isPlainBlock,
  plainValues,
  providerFunction,
  sensitiveAttributes,
  shown,
  toPlainAs,
} from "./evaluation/plain";
export * from "./syntax";
export { type ReferencedDeclaration, referencedDeclaration } from "./syntax/referenced-declaration";
export * from "./values";
