// What a provider is written with: definitions and their attributes, failures, and the interface that hosts see.
export {
  type AttributePath,
  type Diagnostic,
  DiagnosticError,
  type DiagnosticText,
  error,
  fail,
  warning,
} from "../diagnostics";
export type { Claim } from "../provider/claims";
export type { Connection } from "../provider/connection";
export { providerOf } from "../provider/create-provider";
export type {
  DataScope,
  DataSourceDefinition,
  Found,
  ResourceDefinition,
  Scope,
} from "../provider/definition";
export { type Failure, type FailureKind, ServiceFailure } from "../provider/failures";
export { type Collection, type RecordPages, recordPages } from "../provider/listing";
export type { Kind, Named } from "../provider/lookups";
export type { ConfiguredProvider, Provider, RunOptions } from "../provider/protocol";
export type { ProviderDefinition } from "../provider/provider-definition";
export {
  type Attributes,
  codeOnly,
  computed,
  type Declared,
  leftAlone,
  managed,
  type Reference,
  required,
  unset,
  type ValueObject,
} from "../provider/schema";
export { SomeWritesFailed, unless, type Write, Writes } from "../provider/writes";
