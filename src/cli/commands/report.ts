import { hasErrors } from "../../diagnostics";
import { readPlanJson } from "../../engine";
import { createProvider } from "../../provider";
import type { ReportOfPlanArguments } from "../arguments/report";
import { reportObservers } from "../reports/observers";
import { Limits } from "../run/limits";
import { loadPolicies, violationsIn } from "../policy/policies";
import { readNamed } from "../stacks/named-input";
import { withRecordedContainers } from "../stacks/recorded-containers";
import type { Terminal } from "../terminal/terminal";
import { compositeView } from "../views/composite-view";
import { createRunView } from "../views/create-run-view";

/** Shows a plan of another engine, writes reports of it, and checks limits and policies. */
export async function report(args: ReportOfPlanArguments, terminal: Terminal): Promise<number> {
  const { planJson, detailedExitCode } = args;
  const policies = loadPolicies(args.policies, terminal.folder);
  const observers = reportObservers("plan", args, terminal);
  const { source, resources, dataSources } = createProvider().schema;
  const { bytes, name } = await readNamed(planJson, "plan_json_invalid", terminal);
  const plan = readPlanJson(bytes.toString("utf8"), name, ({ provider, mode, type }) =>
    provider === source ? (mode === "managed" ? resources : dataSources)[type]?.attributes : undefined,
  );
  const view = compositeView(createRunView(args, terminal, { planner: "Terraform or OpenTofu" }), observers);
  view.stack(undefined, 1);
  view.plan(withRecordedContainers(plan));
  const refusals = [...new Limits(args).refusals(plan), ...violationsIn(plan, policies)];
  view.diagnostics(refusals);
  await view.end();
  if (hasErrors([...plan.diagnostics, ...refusals])) return 1;
  return plan.hasChanges && detailedExitCode ? 2 : 0;
}
