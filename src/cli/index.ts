// The command `steward`: its arguments, commands, views and reports. The code that plans and applies is in `engine`. This file
// exports the functions with which other modules print plans and drift. The entry point is `main.ts`.
//
// The inner modules, from the lowest:
// - `terminal`: streams, colours, signals, the log, and the environment of CI jobs and apps; no texts of results.
// - `outputs`: checks and writes the files of options such as `--out`; it does not make their content.
// - `arguments`: the options of all commands, their help, and the commands that messages suggest; it runs nothing.
// - `difference`: compares two values and prints the difference; it does not decide which values change.
// - `objects`: the container, key and strictness of an object, from the provider or the plan; no requests.
// - `findings`: the results of drift runs, their waivers, and the commands that fix them; the search is in `engine`.
// - `policy`: loads the rules of users and runs them on plans; who approves a plan is in `approval` and `ci`.
// - `document`: the content of a plan, drift or access as data for views and reports; no layout.
// - `views`: prints runs, states and results for people, and as JSON events; files are in `reports`.
// - `reports`: collects a run and writes it in five formats; reads and merges earlier reports.
// - `history`: reads the reports of many drift runs, and writes a page about them.
// - `stack-runs`: loads stacks and saved plans, and runs a command over each stack, with its limits and questions.
// - `approval`: writes and checks approval files, which bind an approval to plans, policies and services; it does not contact the
// platform.
// - `ci`: reads and writes merge requests, comments and issues of the platform.
// - `commands`: one file for each command, which connects the other modules.

export { describeDrift, describePlan } from "./document/describe";
export { PLAIN } from "./terminal/text";
export { renderDiagnostic } from "./views/diagnostics";
export { renderDriftReport } from "./views/drift";
export { renderPlan } from "./views/plan";
