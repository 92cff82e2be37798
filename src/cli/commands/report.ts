import { hasErrors } from "../../diagnostics";
import { accessOfPlan, readPlanJson } from "../../engine";
import type { ReportOfPlanArguments } from "../arguments/report";
import { openPolicies, ownAttributes } from "../policy/open-policies";
import { reportObservers } from "../reports/observers";
import { Limits } from "../run/limits";
import { readNamed } from "../stacks/named-input";
import { ownProvider } from "../stacks/providers";
import { withRecordedContainers } from "../stacks/recorded-containers";
import type { Terminal } from "../terminal/terminal";
import { compositeView } from "../views/composite-view";
import { createRunView } from "../views/create-run-view";

/** Shows a plan of another engine, writes reports of it, and checks limits and policies. */
export async function report(args: ReportOfPlanArguments, terminal: Terminal): Promise<number> {
  const { planJson, detailedExitCode } = args;
  const policies = openPolicies(args, terminal, "--plan-json");
  const observers = reportObservers("plan", args, terminal);
  const { bytes, name } = await readNamed(planJson, "plan_json_invalid", terminal);
  const read = withRecordedContainers(readPlanJson(bytes.toString("utf8"), name, ownAttributes()));
  const refusals = [...new Limits(args).refusals(read), ...policies.violations(read, undefined)];
  const access = args.access
    ? await accessOfPlan(read, ownProvider(terminal), "STEWARD_BASE_URL and STEWARD_TOKEN")
    : undefined;
  const plan = { ...read, ...(access && { access }), diagnostics: [...read.diagnostics, ...refusals] };
  const view = compositeView(createRunView(args, terminal, { planner: "Terraform or OpenTofu" }), observers);
  view.stack(undefined, 1);
  view.plan(plan);
  await view.end();
  if (hasErrors(plan.diagnostics)) return 1;
  return plan.hasChanges && detailedExitCode ? 2 : 0;
}
