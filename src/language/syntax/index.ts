/**
 * Parses and evaluates Terraform's expressions, and finds their references. Errors contain the position in the text. This module
 * knows no configuration and no resources: the caller passes a `Scope`, which returns the values of names.
 */
export * from "./errors";
export { checkSteps, evaluate } from "./evaluate";
export type { HostFunctions, Scope } from "./evaluation";
export {
  constantExpression,
  isConstantJson,
  parseExpression,
  parseJsonExpression,
  parseTemplate,
  parseTraversal,
} from "./parse";
export { parseArguments, refuseCalls } from "./parse-arguments";
export { isConstant, type ReferencedDeclaration, referencedDeclaration, references } from "./references";
export type { Expression, Node, Range, Traversal } from "./syntax";
export * from "./type-constraint";
