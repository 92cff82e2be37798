import type { Diagnostic } from "../../diagnostics";
import type { Approvers } from "../policy/approvers";
import { Policies } from "../policy/policies";
import type { Approval } from "./file";

/**
 * The verdicts of a job that ran the policy modules on the same plan. This process runs no module. The caller compares the plan
 * with the changes that the job judged.
 */
export class JudgedPolicies extends Policies {
  constructor(
    private readonly judged: Pick<Approval, "policies" | "approvals" | "approvers" | "rule_changes">,
  ) {
    super([], () => undefined, judged.policies);
    this.ruleChanges = judged.rule_changes;
  }

  /** The job refused stacks with rules that no module exports. */
  override requireRulesOf(): void {}

  override approvalsFor(_violations: readonly Diagnostic[]): number {
    return this.judged.approvals;
  }

  override approversFor(_violations: readonly Diagnostic[]): Approvers | undefined {
    return this.judged.approvers;
  }
}
