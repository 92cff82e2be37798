// Rules for the changes of each plan. `steward plan` and `steward apply` check them, because cdktf.json names this module.
import { AccessLevel, type ChangeRule, type PolicyRules } from "cdktf-provider-steward";

const maintainerAtMost: ChangeRule<"steward_project_invitation" | "steward_group_invitation"> = {
  name: "no level above Maintainer",
  why: "Owners are appointed by the platform team, not by a merge request.",
  types: ["steward_project_invitation", "steward_group_invitation"],
  *checkChange({ after }) {
    if (after === null || after.access_level <= AccessLevel.MAINTAINER) return;
    yield {
      attribute: "access_level",
      what: `The invitation grants the level ${after.access_level}.`,
      fix: `Set accessLevel to ${AccessLevel.MAINTAINER} or less.`,
    };
  },
};

const twoApprovals: ChangeRule<"steward_protected_environment"> = {
  name: "two approvals for production",
  why: "Nobody should deploy to production alone.",
  types: ["steward_protected_environment"],
  *checkChange({ actions, before, after, unknown }, plan) {
    if (after === null) {
      // Allows two cases: `destroy` deletes everything on purpose, and a forgotten object stays on the service.
      if (before?.name !== "production" || plan.mode === "destroy" || !actions.includes("delete")) return;
      yield { what: "The protection of production is removed.", fix: "Keep the ProtectedEnvironment." };
      return;
    }
    if (after.name !== "production") return;
    const rules = unknown.includes("approval_rules") ? [] : (after.approval_rules ?? []);
    const approvals = rules.reduce((sum, rule) => sum + (rule.required_approvals ?? 1), 0);
    if (approvals >= 2) return;
    yield {
      attribute: "approval_rules",
      what: `The approval rules of production require ${approvals} ${approvals === 1 ? "approval" : "approvals"}.`,
      fix: "Declare approvalRules with requiredApprovals of 2 in total.",
    };
  },
};

const MAX_ENTRIES = 50;

const shortAllowlist: ChangeRule<
  "steward_job_token_allowlist" | "steward_job_token_allowlist_project" | "steward_job_token_allowlist_group"
> = {
  name: `at most ${MAX_ENTRIES} allowlist entries`,
  why: "Nobody reviews a longer list; allow a group in place of its projects.",
  level: "advisory",
  types: [
    "steward_job_token_allowlist",
    "steward_job_token_allowlist_project",
    "steward_job_token_allowlist_group",
  ],
  *checkChange({ project }, plan) {
    // Counts all entries of the project, including unchanged ones.
    const lists = plan.ofType("steward_job_token_allowlist").filter((one) => one.project === project);
    const single = [
      ...plan.ofType("steward_job_token_allowlist_project"),
      ...plan.ofType("steward_job_token_allowlist_group"),
    ].filter((one) => one.project === project);
    const owned = lists.flatMap(({ attributes }) => [
      attributes.target_projects?.length ?? 0,
      attributes.target_groups?.length ?? 0,
    ]);
    const entries = owned.reduce((sum, count) => sum + count, single.length);
    if (entries <= MAX_ENTRIES) return;
    yield {
      address: [...lists, ...single][0]?.address,
      what: `The job token allowlist has ${entries} entries.`,
      fix: "Declare groups in targetGroups, and remove their projects.",
    };
  },
};

export default [maintainerAtMost, twoApprovals, shortAllowlist] satisfies PolicyRules;
