/**
 * Terraform's expression language: parse, find references, evaluate. Errors name the place in the text.
 * Nothing here knows of configuration or resources: names are resolved by the host.
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
