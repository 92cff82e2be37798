// The engine as a library, `cdktf-provider-steward/engine`: plans, applies, finds drift and recovers. It prints nothing, never
// exits the process and adds no signal handlers. The folder, the environment and the providers come from options
// (docs/engine-library.md).

export type { Diagnostic, DiagnosticAction } from "../diagnostics";
export type {
  AccessAbility,
  AccessHolder,
  AccessPlace,
  AccessReport,
  AccessRule,
  AccessTarget,
  ConfiguredProvider,
  ContainerSelection,
  ListedType,
  LiveContainer,
  LiveObject,
  NeededRight,
  NotCounted,
  PlannedRequest,
  Provider,
  RequestEvent,
  RightsReport,
  TouchedContainer,
} from "../framework";
// Addresses, values and schemas of plans and states.
export {
  type Configuration,
  instanceAddress,
  memberOf,
  objectName,
  parseAddress,
  type ResourceAddress,
} from "../language";
export {
  type Attribute,
  type Attributes,
  type AttributeType,
  addedElements,
  append,
  attributeEntries,
  canonicalJson,
  type Enumeration,
  elementType,
  groupBy,
  type IdOf,
  isNumericId,
  isObject,
  isUnknown,
  isWhollyKnown,
  type ProviderSchema,
  type Schema,
  sameValue,
  schemaJson,
  semanticKey,
  shown,
  spelledLike,
  titleOf,
  UNKNOWN,
  type Value,
  type ValueObject,
} from "../schema";
export {
  addressesOf,
  decodeStateText,
  describeHolder,
  emptyState,
  formatState,
  type InstanceState,
  type Json,
  type JsonObject,
  type LockInfo,
  moveInState,
  notInState,
  type OutputState,
  parseState,
  type ResourceState,
  readAddress,
  removeFromState,
  replaceProvider,
  type SensitivePath,
  type Stacks,
  type State,
  type StateBackend,
  type StateMove,
  selectFromState,
  selectInstances,
} from "../state";
// Plans and results.
export type { ApplyResult } from "./apply/apply-plan";
export { type ContainerOrder, orderContainers } from "./apply/container-order";
export { withoutKey, withoutKeys } from "./declarations/address-keys";
// Live objects of a service.
export * from "./drift/list-live";
export { planRepair, type SkippedObject } from "./drift/repair";
export { unmanagedInAll } from "./drift/unmanaged";
export type { ImportResult } from "./import/import-object";
export type { EngineOptions, RunEvent, RunResult, StackResult } from "./library/collect";
export * from "./library/migrate";
// States and manual edits.
export * from "./library/move-between";
// Runs over stacks, for programs that make decisions during a run, as the `steward` command does.
export { OpenStack, type PlanOptions } from "./library/open-stack";
// Operations on the stacks of an app, or on one configuration. They emit events while they run, and return a typed result.
export * from "./library/operations";
export type { Run, StacksEvent } from "./library/run";
export { runStacks, type StackOutcome, type StacksOptions, type StacksWork } from "./library/run-stacks";
export * from "./library/states";
export { containerAttribute, containerByAttributes } from "./objects/identities";
export type { ExplainedSetting, Explanation, SettingOrigin } from "./plan/explain";
export { withDiagnostics, withoutRequests } from "./plan/plan-result";
// Saved plans.
export type { Confirmed } from "./plan-file/confirm-plan";
export { formatPlanFile, isPlanFile, parsePlanFile } from "./plan-file/plan-file";
export type { Receivers } from "./plan-file/receivers";
export { readRecord } from "./plan-file/save-plan";
export type { PlanFile, SavedPlan } from "./plan-file/schema";
export type { ServiceUser } from "./plan-file/services";
export { accessOfPlan } from "./plan-json/access-of-plan";
// The JSON of `terraform show -json`.
export { findSchema } from "./plan-json/changes";
export { type AddressedProvider, declaredService } from "./plan-json/declared-texts";
export { resourcesInState } from "./plan-json/dependencies";
export { objectsAfter } from "./plan-json/objects-after";
export { type OfflineSettings, ownedTwice } from "./plan-json/owned-twice";
export { checksJson, planJson, type SchemaOf } from "./plan-json/plan-json";
export type { PlanPart } from "./plan-json/plan-part";
export { partsOfPlan } from "./plan-json/plan-parts";
export { type AttributesOf, readPlanJson } from "./plan-json/read-plan-json";
export { stateView } from "./plan-json/state-json";
export {
  type ChangeRecord,
  changeFacts,
  changeOrigin,
  changeValues,
  factsOf,
  originOf,
  recordedAction,
  recordOf,
} from "./results/change-record";
export * from "./results/check-results";
export * from "./results/described";
export * from "./results/drift";
export type { EngineEvent } from "./results/events";
export * from "./results/plan";
export { type CountedDeletes, changingOf, countDeletes, summarize } from "./results/plan";
export {
  type Encoding,
  encodedText,
  encodeValue,
  encodeValues,
  isEncodedUnknown,
} from "./results/recorded-values";
export { hiddenPaths, shownId, shownImportId } from "./results/redaction";
// Sources of stacks.
export { annotationDiagnostics, policyModules, type StackEntry, selectStacks } from "./source/app-files";
export {
  type AppObject,
  declaringStack,
  ifValid,
  type LoadedStacks,
  loadStacks,
  requireSingle,
  type Stack,
  type StackSource,
  type UnselectedStack,
} from "./source/load-stacks";
export { localStateFile } from "./source/local-state";
export type { Shard } from "./source/shards";
export type { EditOptions } from "./source/state-file";
export { statesOf } from "./source/states-of-stacks";
export { type AppSource, type Synthesized, synthesize } from "./source/synthesize";
export { fromCommandLine, type GivenVariable } from "./source/variables";
export type { Environment, LoadEvent, LoadOptions, Signals } from "./stack-run/context";
export { selectedWorkspace } from "./stack-run/workspace";
export type { ExecutablePlan } from "./steps/steps";
