import type { Diagnostic } from "../../diagnostics";
import { type Approvers, allNeeded, type NeededApprovals } from "../policy/approvers";
import { Policies } from "../policy/policies";
import type { PolicyResults } from "../policy/results";
import type { Approval } from "./file";

/**
 * The results of the policy modules that another job ran on the same plan. This job has the apply token, and therefore runs
 * no policy module. The caller compares the plan of this job with the judged changes.
 */
export class JudgedPolicies extends Policies {
  constructor(
    private readonly judged: Pick<
      Approval,
      | "policies"
      | "approvals"
      | "approvers"
      | "needed_by_all"
      | "rule_changes"
      | "changes"
      | "violations"
      | "waivers"
    >,
  ) {
    super([], () => undefined, judged.policies);
    this.ruleChanges = judged.rule_changes;
  }

  /** Does nothing, because the job that judged the policies has already made this check. */
  override requireRulesOf(): void {}

  override approvalsFor(_violations: readonly Diagnostic[]): number {
    return this.judged.approvals;
  }

  override approversFor(_violations: readonly Diagnostic[]): Approvers | undefined {
    return this.judged.approvers;
  }

  override results(): PolicyResults {
    const { violations, waivers } = this.judged;
    return { ...(violations && { violations }), ...(waivers && { waivers }) };
  }

  override neededForPart(
    stack: string | null,
    isOfPart: (address: string | undefined) => boolean,
    violations: readonly Diagnostic[],
  ): NeededApprovals {
    const { needed_by_all: ofAll, changes } = this.judged;
    // In a file of an earlier release, the same number of approvals applies to all changes.
    if (ofAll === undefined) return this.neededFor(violations);
    const own = changes.filter((one) => one.stack === stack && isOfPart(one.address));
    return allNeeded([ofAll, ...own.flatMap(({ needs }) => needs ?? [])]);
  }

  override neededForChange(stack: string | null, address: string): NeededApprovals | undefined {
    return this.judged.changes.find((one) => one.stack === stack && one.address === address)?.needs;
  }

  override neededForOthers(): NeededApprovals {
    const { needed_by_all: ofAll, approvals, approvers } = this.judged;
    return ofAll ?? { approvals, ...(approvers && { approvers }) };
  }
}
