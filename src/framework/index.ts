// The API for writing a provider: definitions, attributes, failures and the interface for hosts. This module knows
// no resource of the platform, and no Terraform protocol.

export {
  type AttributePath,
  type Diagnostic,
  type DiagnosticAction,
  DiagnosticError,
  type DiagnosticText,
  error,
  fail,
  warning,
} from "../diagnostics";
export {
  type Attributes,
  computed,
  configOnly,
  continueWith,
  type Declared,
  managed,
  optional,
  optionalComputed,
  type Reference,
  type Resolution,
  required,
  type ValueObject,
  withRecovery,
} from "../schema";
export { type Collection, NOT_CACHED, type RecordPages, recordPages } from "./collections/listing";
export type { Live, LiveCollection } from "./collections/live-collection";
export { providerOf } from "./create-provider";
export type * from "./definition/definition";
export { isLeftOnDestroy } from "./definition/definition";
export { defineFunction, type FunctionDefinition, InvalidArgument } from "./definition/function-definition";
export type * from "./definition/provider-definition";
export { EntryNotRemoved } from "./operations/hidden-entries";
export { identityOf } from "./operations/identity";
export { type Owned, OwnerIndex, type Ownership, SharedOwnership } from "./ownership/owners";
export type { Connection } from "./protocol/connection";
export * from "./protocol/failures";
export type * from "./protocol/protocol";
export { ShareIndex } from "./protocol/protocol";
export { tokenError } from "./protocol/token-error";
export type { Kind, ReferencedObject } from "./references/lookups";
export { ReferenceNotFound } from "./references/references";
export type { NamedEntry } from "./references/remembered";
export { type Decision, decide, type Verdict, type Why } from "./table/decide";
export { HELD, LEAVING, NEW, type Neighbour, type Row, UNMANAGED } from "./table/row";
