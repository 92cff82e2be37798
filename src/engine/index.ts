export { type Configuration, loadConfiguration } from "../language";
export { type ApplyResult, applyPlan } from "./apply/apply-plan";
export { builtinSchema } from "./builtin/builtin-schemas";
export { type Looked, type UnmanagedObject, unmanagedByAll } from "./drift/coverage";
export {
  type DriftedObject,
  type DriftReport,
  detectDrift,
  type UncheckedObject,
} from "./drift/detect-drift";
export { type LeftObject, repairOf } from "./drift/repair";
export { type ImportResult, importObject } from "./import/import-object";
export { checksOfState } from "./model/check-results";
export type { EngineEvent } from "./model/events";
export * from "./model/plan";
export type { StacksEvent } from "./operations/events";
export { OpenStack, type PlanOptions } from "./operations/open-stack";
export { type Outcome, runStacks, type StacksOptions, type StacksWork } from "./operations/run-stacks";
export { createPlan } from "./plan/create-plan";
export { hiddenPaths, shownId, shownImportId } from "./plan/shown-ids";
export {
  checkConfiguration,
  checkGivenVariables,
  checkState,
  checkVariables,
  contextFor,
} from "./plan-file/check-basis";
export { confirmPlan } from "./plan-file/confirm-plan";
export { formatPlanFile, isPlanFile, parsePlanFile } from "./plan-file/plan-file";
export { readRecord } from "./plan-file/record-json";
export { savePlan } from "./plan-file/save-plan";
export type { PlanFile, SavedPlan } from "./plan-file/schema";
export { checksJson } from "./plan-json/checks";
export { planJson } from "./plan-json/plan-json";
export { readPlanJson } from "./plan-json/read-plan-json";
export { stateView } from "./plan-json/state-json";
export { openState } from "./recovery/open-state";
export { carryOut, type LockedStack, type ProviderOf, planMove, refuseOpenMove } from "./recovery/state-move";
export { openMove, refuseUnsettled } from "./recovery/unsettled";
export type { RunContext, VariableInput } from "./run/context";
export { inConfiguration } from "./run/objects";
export { withoutKey } from "./run/targets";
export type { Environment, LoadEvent, Loading, Signals } from "./source/environment";
export {
  type AppObject,
  type LoadedStacks,
  loadStacks,
  type Stack,
  type StackSource,
} from "./source/load-stacks";
export { annotationDiagnostics, type StackEntry, selectStacks } from "./source/manifest";
export { refuseWithoutOthers } from "./source/stack-order";
export { backendOf } from "./source/state-file";
export { synthesize } from "./source/synthesize";
export { fromLine, type GivenVariable, variablesFor } from "./source/variables";
export { withLock } from "./source/with-lock";
export type { ExecutablePlan } from "./steps/executable-plan";
export { validateConfiguration } from "./validate/validate-configuration";
