export { type ApplyResult, applyPlan } from "./apply/apply-plan";
export { type Configuration, loadConfiguration } from "./config";
export { type DriftedObject, type DriftReport, detectDrift } from "./drift/detect-drift";
export type { EngineEvent, OnEvent } from "./events";
export { createPlan } from "./plan/create-plan";
export * from "./plan/model";
export type { Plan } from "./plan/plan";
export type { RunContext, VariableInput } from "./run/context";
export { validateConfiguration } from "./validate/validate-configuration";
