// What the command prints, for rooms that print the same.

export { describeDrift, describePlan } from "./document/stack-parts";
export { PLAIN } from "./printing/text";
export { renderDiagnostic } from "./views/diagnostics";
export { renderDriftReport } from "./views/drift";
export { renderPlan } from "./views/plan";
