export { type ApplyResult, applyPlan } from "./apply/apply-plan";
export { type Configuration, loadConfiguration } from "./config";
export { type Looked, type UnmanagedObject, unmanagedByAll } from "./drift/coverage";
export {
  type DriftedObject,
  type DriftReport,
  detectDrift,
  type UncheckedObject,
} from "./drift/detect-drift";
export { type LeftObject, repairOf } from "./drift/repair";
export type { EngineEvent } from "./events";
export { type ImportResult, importObject } from "./import/import-object";
export { type OpenedState, openState } from "./journal/open-state";
export { createPlan } from "./plan/create-plan";
export * from "./plan/model";
export type { Plan } from "./plan/plan";
export {
  checkConfiguration,
  checkGivenVariables,
  checkServices,
  checkState,
  checkVariables,
  variablesOf,
} from "./plan-file/check-basis";
export { formatPlanFile, isPlanFile, type PlanFile, parsePlanFile, reading } from "./plan-file/plan-file";
export { readRecord, restorePlan } from "./plan-file/restore-plan";
export { savePlan } from "./plan-file/save-plan";
export type { SavedPlan } from "./plan-file/saved-plan";
export { describePlan } from "./plan-json/describe-plan";
export { planJson } from "./plan-json/plan-json";
export type { RunContext, VariableInput } from "./run/context";
export { readVariableFile } from "./run/variable-file";
export { compareSaved } from "./stacks/compare-saved";
export { validateConfiguration } from "./validate/validate-configuration";
