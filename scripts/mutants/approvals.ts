import { faults, type PlantedFault } from "./planted-fault";

/**
 * Returns the lines of the source that choose merge requests. The platform filters by `query`, and Steward filters the
 * result again by `check`.
 */
const queried = ({ query, check }: { readonly query: string; readonly check: string }): string =>
  [
    `  const merged = { ${query}, order_by: "merged_at" } as const;`,
    "  for await (const request of client.mergeRequests.ofProject(project, merged)) {",
    "    if (left-- === 0) break;",
    `    if (${check}) continue;`,
  ].join("\n");

const CHECKED = {
  query: `state: "merged", target_branch: branch`,
  check: `request.state !== "merged" || request.target_branch !== branch`,
};

/** The lines of the source that mark an approval as spent. */
const REACTION = [
  "    if (comment !== undefined && !(await isSpentBy(this.platform, iid, comment)))",
  "      await client.mergeRequests.react(project, iid, comment.id, { name: SPENT });",
] as const;

/** The lines of the source that end the job of an older commit. */
const JOB_OF_HEAD = [
  "      const job = new BranchJob(platform, branch, commit, args, terminal);",
  "      return found.head === commit ? job.apply(found) : job.supersededBy(found);",
] as const;

/**
 * Faults in the bindings of an approval: to the merge request, its branch, its changes and more. Stories of people find
 * these faults.
 */
export const APPROVAL_FAULTS: readonly PlantedFault[] = [
  ...faults("approval", "cli/ci/requests.ts")(
    [
      "The request: an open request with this head counts as merged",
      queried(CHECKED),
      queried({
        query: "target_branch: branch",
        check: `request.state === "closed" || request.target_branch !== branch`,
      }),
    ],
    [
      "The branch: a request that was merged into any branch counts",
      queried(CHECKED),
      queried({ query: `state: "merged"`, check: `request.state !== "merged"` }),
    ],
  ),
  ...faults("approval", "cli/ci/spent.ts")(
    [
      "Spent: an approval is never spent",
      REACTION.join("\n"),
      ["    if (iid > 0) return;", ...REACTION].join("\n"),
    ],
    [
      "Spent: a deleted note makes an approval usable again",
      REACTION.join("\n"),
      REACTION.join("\n").replace("comment !== undefined", "comment?.id === -1"),
    ],
  ),
  ...faults(
    "approval",
    "cli/ci/judged.ts",
  )([
    "The comment: an edited text counts",
    "  if (!startsAs(body, startOfComment(name, approval, digest, secretsOf(env))))",
    "  if (digest === name)",
  ]),
  ...faults("approval", "cli/commands/ci-apply.ts")(
    [
      "The job: a job of an older commit applies",
      JOB_OF_HEAD.join("\n"),
      JOB_OF_HEAD.join("\n")
        .replace("commit, args", "found.head!, args")
        .replace("found.head === commit", "found.head !== undefined"),
    ],
    [
      "The services: the token goes to services that no comment names",
      "requireReceivers(stacks, (all) => areShownBy(readers, all, this.platform.address));",
      "requireReceivers(stacks, (all) => areShownBy(readers, all, this.platform.address) || all.services.length > 0);",
    ],
  ),
  ...faults(
    "approval",
    "cli/ci/shown-receivers.ts",
  )([
    "The services: a comment without changes opens a service",
    "  const withChanges = judged.filter((one) => !hasNoChanges(one));",
    "  const withChanges = judged.filter((one) => !hasNoChanges(one) || judged.length > 0);",
  ]),
  ...faults("approval", "cli/ci/entitled.ts")(
    [
      "The number of approvers: one is always enough",
      "    if (counting.length >= needed) continue;",
      "    if (counting.length >= Math.min(needed, 1)) continue;",
    ],
    [
      "The author: the approval of the author counts",
      "  if (isAuthor && !isAllowedAuthor)",
      "  if (isAuthor && isAllowedAuthor)",
    ],
    [
      "The pusher: approvals of people who pushed count",
      "  if (isPusher && !isAllowedAuthor && approvers?.allow_committers !== true)",
      "  if (isPusher && !isAllowedAuthor && isAuthor && approvers?.allow_committers !== true)",
    ],
    [
      "Membership: people without a membership count",
      "        if (found >= level) return undefined;\n        return found === 0",
      "        if (found >= level || found === 0) return undefined;\n        return found === 0",
    ],
    [
      "Membership: a lower level than the granted one is enough",
      "        if (found >= level) return undefined;\n        return found === 0",
      "        if (found >= Math.min(level, 30)) return undefined;\n        return found === 0",
    ],
    [
      "Membership: people who were blocked count",
      `  if (found.state !== "active") return`,
      `  if (found.state === "gone") return`,
    ],
    [
      "The policy: bots count without being named",
      "  if (found.bot !== false && !isNamed)",
      "  if (found.bot !== false && isNamed)",
    ],
    [
      "The policy: members count instead of the named approvers",
      "  if (approvers?.named !== undefined)\n",
      "  if (approvers?.named !== undefined && changes.length === 0)\n",
    ],
  ),
  ...faults(
    "approval",
    "cli/ci/approvals.ts",
  )([
    "The comment: an approval from before its last edit counts",
    "    Date.parse(comment.updated_at),",
    "    Date.parse(comment.updated_at) * 0,",
  ]),
  ...faults(
    "approval",
    "cli/ci/bound-part.ts",
  )([
    "The approval file: a file of other changes than the report's counts",
    "  if (differences.length === 0) return;",
    "  if (differences.length >= 0) return;",
  ]),
  ...faults(
    "approval",
    "cli/ci/comment.ts",
  )([
    "The app: a comment is the one of every app",
    "export const commentMarker = (name: string): string => `<!-- steward ci ${anchorOf(name)} -->`;",
    "export const commentMarker = (name: string): string => `<!-- steward ci ${anchorOf(name).slice(0, 0)} -->`;",
  ]),
  ...faults("approval", "cli/approval/review.ts")(
    [
      "The change: an element that nobody approved is applied with an approved one",
      "  if (!needed.every((key) => pieces.some(({ keys }) => keys.has(key)))) return undefined;",
      "  if (!needed.some((key) => pieces.some(({ keys }) => keys.has(key)))) return undefined;",
    ],
    [
      "The change: another value than the approved one is applied",
      "    else result.unapproved.push(...describeUnapproved(name, described, candidates, change.attributes));",
      "    else if (candidates.length === 0) result.unapproved.push(...describeUnapproved(name, described, candidates, change.attributes));",
    ],
  ),
  ...faults("approval", "cli/approval/plans.ts")(
    [
      "Gains: access that no comment shows is applied",
      "    const found = unshownGains(changesToApprove(plan, place), parts);",
      "    const found = unshownGains(changesToApprove(plan, place).slice(0, 0), parts);",
    ],
    [
      "Rules: an approval under other policies counts",
      "      return !areShown(part.approval, approvals, approvers);",
      "      return own.size < 0 && !areShown(part.approval, approvals, approvers);",
    ],
  ),
  ...faults(
    "approval",
    "cli/policy/open-policies.ts",
  )([
    "Rules: the policies of a request judge it",
    "  const found = policiesIn(folder, {",
    "  const found = policiesIn(terminal.folder, {",
  ]),
  ...faults(
    "approval",
    "cli/ci/bound-part.ts",
  )([
    "Rules: the comment does not show which rules change",
    "    ...ruleLines(approval.rule_changes ?? []),",
    "    ...ruleLines((approval.rule_changes ?? []).slice(0, 0)),",
  ]),
];
