// The parts of the command `steward` that other modules use to print plans and drift. The entry point of the command is
// `main.ts`.

export { describeDrift, describePlan } from "./document/stack-parts";
export { PLAIN } from "./printing/text";
export { renderDiagnostic } from "./views/diagnostics";
export { renderDriftReport } from "./views/drift";
export { renderPlan } from "./views/plan";
