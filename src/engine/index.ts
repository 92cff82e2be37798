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
  contextFor,
} from "./plan-file/check-basis";
export { confirmPlan } from "./plan-file/confirm-plan";
export { formatPlanFile, isPlanFile, parsePlanFile } from "./plan-file/plan-file";
export { readRecord } from "./plan-file/record-json";
export { savePlan } from "./plan-file/save-plan";
export type { PlanFile, SavedPlan } from "./plan-file/schema";
export { describePlan } from "./plan-json/describe-plan";
export { planJson } from "./plan-json/plan-json";
export type { RunContext, VariableInput } from "./run/context";
export { readVariableFile } from "./run/variable-file";
export { validateConfiguration } from "./validate/validate-configuration";
