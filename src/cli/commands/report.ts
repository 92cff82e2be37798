import path from "node:path";
import { type Diagnostic, error, hasErrors } from "../../diagnostics";
import {
  accessOfPlan,
  type OfflineSettings,
  objectsAfter,
  ownedTwice,
  type Plan,
  readPlanJson,
} from "../../engine";
import { atMost } from "../../text";
import { changesToApprove } from "../approval/changes";
import { readApproval, writeApproval } from "../approval/file";
import { sharedViolations, withNeeded } from "../approval/needed-approvals";
import { requireApproved } from "../approval/plans";
import { approvalOf } from "../approval/recorder";
import { differs } from "../approval/refusals";
import { notPlanned, review } from "../approval/review";
import { TerraformPlan } from "../approval/terraform-plan";
import type { CommandFunction } from "../arguments/command-line";
import {
  type historyLine,
  type ReportMergeArguments,
  type ReportOfPlanArguments,
  requireJoined,
} from "../arguments/reports";
import type { ApprovedArguments } from "../arguments/shared-options";
import { limitedChanges } from "../document/describe";
import type { Report } from "../document/model";
import { historyOf, skippedFiles, writeHistorySummary } from "../history/history";
import { findReports, loadReports } from "../history/load";
import { historyPage } from "../history/page";
import { recordedPaths, withRecordedContainers } from "../objects/recorded-containers";
import { requireWritable, writeOutput } from "../outputs/write-output";
import { openPolicies, ownAttributes } from "../policy/open-policies";
import type { Policies } from "../policy/policies";
import { reportObservers, writeReport } from "../reports/collector";
import { allObjects, headline } from "../reports/formats/summary";
import { exitCodeOf, readReports } from "../reports/merge";
import { printableLines } from "../reports/safe-report";
import { Limits } from "../stack-runs/limits";
import { ownProvider } from "../stack-runs/providers";
import { secretsOf } from "../terminal/redact";
import { readNamed, type Terminal } from "../terminal/terminal";
import { styleFor } from "../terminal/text";
import { createRunView } from "../views/create-run-view";
import { reportDiagnostics } from "../views/diagnostics";
import { jsonEvent, writeResult } from "../views/json/events";

/** A provider configuration with an address that does not exist. The report of a plan sends no requests to a service. */
const OFFLINE: Omit<OfflineSettings, "paths"> = {
  address: "base_url",
  defaults: {
    base_url: "https://the-service-of-the-environment.invalid",
    token: "not-used",
    allow_plain_http: true,
  },
};

/** Shows a plan of another engine, writes reports of this plan, and checks limits and policies. */
export async function report(args: ReportOfPlanArguments, terminal: Terminal): Promise<number> {
  const { planJson, detailedExitCode } = args;
  const policies = openPolicies(args, terminal);
  const observers = reportObservers("plan", args, terminal);
  const { bytes, name } = await readNamed(planJson, "plan_json_invalid", terminal);
  const read = withRecordedContainers(readPlanJson(bytes.toString("utf8"), name, ownAttributes()));
  // People approve this plan later. With an infinite number of approvals, a rule that needs approvals causes only a warning.
  // The report shows how many approvals each rule needs.
  const approvals =
    args.outApproval === undefined ? (args.approved?.approvals ?? 0) : Number.POSITIVE_INFINITY;
  const terraform =
    args.outApproval === undefined && args.approved === undefined
      ? undefined
      : new TerraformPlan(bytes.toString("utf8"), terminal.env);
  policies.requireRulesOf([]);
  const violations = policies.violations(read, undefined, approvals);
  const refusals = [
    ...new Limits(args).refusals(limitedChanges(read)),
    ...violations,
    ...(terraform === undefined ? [] : refusedParts(terraform)),
    ...(args.approved === undefined
      ? []
      : await reviewed(read, terraform!, args.approved, policies, terminal)),
  ];
  const provider = ownProvider(terminal);
  const conflicts = await ownedTwice(read, objectsAfter(read, ownAttributes()), provider, {
    ...OFFLINE,
    paths: recordedPaths(read),
  });
  const access = args.access
    ? await accessOfPlan(read, provider, "STEWARD_BASE_URL and STEWARD_TOKEN")
    : undefined;
  const plan = {
    ...read,
    ...(access && { access }),
    diagnostics: [...read.diagnostics, ...policies.warnings(), ...conflicts, ...refusals],
  };
  const view = createRunView(args, terminal, { planner: "Terraform or OpenTofu", observers });
  view.stack(undefined, 1);
  view.plan(plan);
  if (args.outApproval !== undefined && !hasErrors(plan.diagnostics)) {
    const planned = changesToApprove(plan, terraform!.place);
    const changes = withNeeded(planned, violations, policies);
    const facts = { plan: terraform!.parts, shared: sharedViolations(planned, violations) };
    const approval = approvalOf(changes, violations, policies, terminal, facts);
    const digest = await writeApproval(args.outApproval, approval, terminal);
    view.toApprove({ file: args.outApproval, digest, changes: approval.changes.length, planJson });
  }
  view.waivers(policies.waivers.list());
  await view.end();
  if (hasErrors(plan.diagnostics)) return 1;
  return plan.hasChanges && detailedExitCode ? 2 : 0;
}

/**
 * Returns the differences between a plan and the approved plan. A revert of a manual change counts as a difference, because
 * Terraform can't leave it out of the plan.
 */
async function reviewed(
  plan: Plan,
  terraform: TerraformPlan,
  { file, digest, approvals }: ApprovedArguments,
  policies: Policies,
  terminal: Terminal,
): Promise<Diagnostic[]> {
  const approval = await readApproval(file, digest, terminal);
  requireApproved(approval, approvals, policies);
  const { unapproved, reverts, missing, toLookUp } = review(plan, [approval], terraform.place);
  const problems = [
    ...unapproved,
    ...reverts.map((address) => `${address}: reverts a manual change, which is not in the approval`),
    ...[...missing, ...toLookUp].map(notPlanned),
    ...(terraform.refused.length > 0 ? [] : terraform.differences(approval.plan)),
  ];
  return problems.length > 0 ? [differs(problems)] : [];
}

/** Returns an error if the plan has parts that Steward can't compare with an approval. */
const refusedParts = ({ refused }: TerraformPlan): Diagnostic[] =>
  refused.length === 0
    ? []
    : [
        error({
          code: "approval_differs",
          summary: "Plan can't be approved",
          detail: [
            "This release can't compare these parts of the plan with an approval. Nothing was approved. Remove these parts, or use a newer release of Steward.",
            ...atMost(refused, MAX_NAMED),
          ],
        }),
      ];

const MAX_NAMED = 20;

/** Joins JSON reports into one report, and writes this report in the requested formats. */
export async function mergeIntoReport(args: ReportMergeArguments, terminal: Terminal): Promise<number> {
  const { folder, env, out, outputs } = terminal;
  requireJoined(args);
  const report = await readReports(args.files, terminal);
  // `hasEmails` prevents a second masking of e-mail addresses. The jobs have already masked the addresses in their reports.
  await writeReport(report, args.reports, { folder, outputs, hasEmails: true, secrets: secretsOf(env) });
  reportDiagnostics(missingOf(report), terminal, args);
  const text = headline(report);
  const { length: objects } = allObjects(report);
  const counts = { command: report.command, result: report.result, reports: args.files.length, objects };
  const event = jsonEvent("report_merge_summary", text, { merged: counts });
  writeResult(out, args, [event], [styleFor(out, terminal, args.color).bold(text)]);
  return exitCodeOf(report, args.detailedExitCode);
}

/** Returns the diagnostics that the merge itself causes, such as missing shards. */
const missingOf = ({ stacks }: Report): Diagnostic[] =>
  stacks
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === "shard_missing")
    .map(({ summary, detail }) => error({ code: "shard_missing", summary, detail }));

/** Writes one HTML page about the drift in many runs. */
export const history: CommandFunction<typeof historyLine> = async (args, terminal) => {
  const files = await findReports(args.folder, terminal.folder);
  const file = args.file ?? path.join(args.folder, "index.html");
  // Checks the output file first, because reading thousands of reports takes a while.
  requireWritable("history", file, terminal);
  const found = historyOf(await loadReports(files));
  reportDiagnostics(skippedFiles(found), terminal, args);
  const page = printableLines(secretsOf(terminal.env).redactText(historyPage(found)));
  await writeOutput({ kind: "history", file, text: page, reader: "text", audience: "anyone" }, terminal);
  writeHistorySummary(found, file, args, terminal);
  return 0;
};
