import { DiagnosticError, fail } from "../../diagnostics";
import { canonicalJson, type Value } from "../../engine";
import type { Terminal } from "../terminal/terminal";
import { type Approval, type ApprovedChange, nameOfApproved, readForComment } from "./file";
import { differs } from "./refusals";

/**
 * Reads the approval file of the job that judged the policies.
 *
 * @param commit the commit of this job
 * @throws DiagnosticError `approval_invalid`; `approval_differs` if the file belongs to another commit
 */
export async function readJudged(file: string, commit: string, terminal: Terminal): Promise<Approval> {
  const { approval } = await readForComment(file, terminal);
  if (approval.commit === commit) return approval;
  return fail({
    code: "approval_differs",
    summary: "Policies of another commit",
    detail: `${file} contains policy results for the commit ${approval.commit ?? "none"}, but this job runs for the commit ${commit}. Nothing was sent. Run the job that checks the policies again.`,
  });
}

/**
 * Refuses changes that are not in the approval file of the job that judged the policies. Does not compare access, because
 * people may have changed memberships since that job.
 *
 * @throws DiagnosticError `approval_differs`
 */
export function requireJudged(changes: readonly ApprovedChange[], { changes: judged }: Approval): void {
  const known = new Set(judged.map(textOf));
  const left = changes.filter((one) => !known.has(textOf(one)));
  if (left.length === 0) return;
  throw new DiagnosticError([
    differs(
      left.map((one) => `${nameOfApproved(one)}: the file of --judged does not contain this change`),
      "Run the job that checks the policies again.",
    ),
  ]);
}

/**
 * Refuses an apply if the approved comment of a merge request does not show the rules that the request changes.
 *
 * @throws DiagnosticError `approval_differs`
 */
export function requireShownRules(
  shown: Approval["rule_changes"] = [],
  judged: Approval["rule_changes"] = [],
): void {
  const left = differencesOfRules(shown, judged);
  if (left.length === 0) return;
  fail({
    code: "approval_differs",
    summary: "Changed rules differ from the comment",
    detail: [
      "The merged request changes other rules than its comment shows. Nothing was sent. Run `steward ci comment` again with a plan that has `--base`, and approve again.",
      ...left,
    ],
  });
}

/** Compares two lists of changed rules. Returns a line for each changed rule that only one of the lists contains. */
export function differencesOfRules(
  shown: NonNullable<Approval["rule_changes"]>,
  judged: NonNullable<Approval["rule_changes"]>,
): string[] {
  const keyOf = ({ what }: { readonly what: string }) => what;
  const [known, found] = [new Set(shown.map(keyOf)), new Set(judged.map(keyOf))];
  return [
    ...[...found].filter((one) => !known.has(one)).map((one) => `not in the comment: ${one}`),
    ...[...known].filter((one) => !found.has(one)).map((one) => `in the comment only: ${one}`),
  ].map((line) => line.split("\n", 1)[0]!);
}

/**
 * Refuses a request whose plan job had no checkout of the target branch. The rules of the request were not compared with the
 * rules of the branch, so the comment does not show changed rules.
 *
 * @param approvals the approvals, each with the name of its request
 * @throws DiagnosticError `approval_differs`
 */
export function requireComparedRules(approvals: readonly (readonly [string, Approval])[]): void {
  const left = approvals.filter(([, { rule_changes: rules }]) => rules === undefined).map(([name]) => name);
  if (left.length === 0) return;
  fail({
    code: "approval_differs",
    summary: "Rules of merge requests were not compared",
    detail: `The comment of ${left.join(", ")} does not say which rules the request changes. Nothing was sent. Plan with \`--base\` in the pipeline of merge requests, and approve the changes again in a new request.`,
  });
}

const textOf = ({ access: _, ...change }: ApprovedChange): string =>
  canonicalJson(change as unknown as Value);
