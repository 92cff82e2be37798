// The API for writing a provider: definitions and attributes, failures, and the host interface.
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
  type Declared,
  managed,
  optional,
  optionalComputed,
  type Reference,
  required,
  type ValueObject,
} from "../schema";
export { type Collection, type RecordPages, recordPages } from "./collections/listing";
export type { Live, LiveCollection } from "./collections/live-collection";
export { providerOf } from "./create-provider";
export type { AccessChange, AccessScope } from "./definition/access";
export type {
  DataScope,
  DataSourceDefinition,
  Defaulted,
  Deletable,
  Entry,
  Found,
  ListedElsewhere,
  Owner,
  PlanHooks,
  Recoverable,
  ResourceCore,
  ResourceDefinition,
  Restricted,
  Scope,
  Stays,
  Updatable,
  Upgradable,
  Validated,
} from "./definition/definition";
export { defineFunction, type FunctionDefinition, InvalidArgument } from "./definition/function-definition";
export type {
  ContainerLists,
  ContainerPages,
  Move,
  Nesting,
  ProviderDefinition,
} from "./definition/provider-definition";
export { EntryNotRemoved } from "./operations/hidden-entries";
export { identityOf } from "./operations/session";
export type { Ownership } from "./ownership/ownership";
export { SharedOwnership } from "./ownership/shared-ownership";
export type { Connection } from "./protocol/connection";
export { type Failure, type FailureKind, Failures, ServiceFailure } from "./protocol/failures";
export {
  type AccessAbility,
  type AccessHolder,
  type AccessOptions,
  type AccessPlace,
  type AccessReport,
  type AccessRequest,
  type AccessRule,
  type AccessTarget,
  type ApplyRequest,
  type ApplyResponse,
  type ConfiguredProvider,
  type ContainerSelection,
  type CoverResponse,
  type DataSourceRequest,
  type DataSourceResponse,
  type DeclaredObject,
  type ExistingObject,
  type ExpectedRead,
  type FoundContainers,
  type FunctionError,
  type FunctionResponse,
  type IdentifyRequest,
  type ImportResponse,
  type LeavingObject,
  type ListedType,
  type ListResponse,
  type LiveContainer,
  type LiveObject,
  type NeededRight,
  type NotCounted,
  type ObservedBeforeCreate,
  type PlannedChange,
  type PlannedRequest,
  type PlanRequest,
  type PlanResponse,
  type Provider,
  type QueryEvent,
  type QueryRequest,
  type RecoverResponse,
  type ReplacedValues,
  type RequestEvent,
  type RightsReport,
  type RunOptions,
  type Share,
  ShareIndex,
  type StayingObject,
  type StoredState,
} from "./protocol/protocol";
export { type Resolution, settle, whenKnown } from "./protocol/resolution";
export { tokenError } from "./protocol/token-error";
export { NotReadBack, SomeWritesFailed, unless, type Write, WriteBatch } from "./protocol/write-batch";
export type { Kind, ReferencedObject } from "./references/lookups";
export { ReferenceNotFound } from "./references/references";
export type { NamedEntry } from "./references/remembered";
