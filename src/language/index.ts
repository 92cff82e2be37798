export {
  addressOfObject,
  instanceAddress,
  moduleChain,
  objectName,
  resourceAddress,
} from "./addresses/address";
export { parseAddress, type ResourceAddress, type StateAddress } from "./addresses/parse-address";
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
export { keyOf } from "./configuration/addresses";
export { labelled } from "./configuration/blocks";
export { FOLLOWED_TERRAFORM_VERSION } from "./configuration/terraform-version";
export { meetsConstraints } from "./configuration/version-constraint";
export { type EvaluatedBody, evaluateBody, locate } from "./evaluation/body";
export { Evaluation, type Repetition, type SourceLocation } from "./evaluation/evaluation";
export { fromPlain, impliedType, sensitiveAttributes, shown, toPlain, toPlainAs } from "./evaluation/plain";
export { providerFunction } from "./evaluation/provider-function";
export {
  applyConstraint,
  type Expression,
  ExpressionError,
  evaluate,
  type HostFunctions,
  isConstant,
  type Node,
  parseExpression,
  references,
  type Traversal,
} from "./syntax";
export { type ReferencedDeclaration, referencedDeclaration } from "./syntax/referenced-declaration";
export { programForReference, unsupportedText } from "./syntax/unsupported";
export {
  BOOL,
  ConversionError,
  containsEphemeral,
  containsSensitive,
  convert,
  DYNAMIC,
  EPHEMERAL,
  elementsOf,
  entriesOf,
  fromJson,
  fromJsonDynamic,
  isKnown,
  isNull,
  isWhollyKnown,
  list,
  type Marks,
  map,
  markPaths,
  markSensitive,
  NO_MARKS,
  NUMBER,
  nullOf,
  number,
  numOf,
  object,
  quote,
  rawEquals,
  refine,
  SENSITIVE,
  STRING,
  string,
  type Type,
  textOf,
  toInteger,
  toJson,
  truthOf,
  tuple,
  typeFromJson,
  typeToJson,
  unknown,
  unknownAsNull,
  unmarkDeep,
  type Value,
  withMarks,
} from "./values";
export { compareText } from "./values/types";
