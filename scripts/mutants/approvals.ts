import { faults, type PlantedFault } from "./planted-fault";

/** Faults in the bindings of an approval. The stories of people find them. */
export const APPROVAL_FAULTS: readonly PlantedFault[] = [
  ...faults("approval", "cli/commands/ci-apply.ts")(
    [
      "The request: an open request with this head counts as merged",
      `      one.state === "merged" &&`,
      `      one.state !== "closed" &&`,
    ],
    [
      "The branch: a request that was merged into any branch counts",
      "(branch === undefined || one.target_branch === branch)",
      "(branch === undefined || one.target_branch !== undefined)",
    ],
    [
      "The comment: an edited text counts",
      "  if (!startsAs(asked.body, start)) return refuseText(asked);",
      "  if (!startsAs(asked.body, start) && asked.body === start) return refuseText(asked);",
    ],
    [
      "The services: the token goes to services that the comment does not name",
      "requireReceivers(stacks, (found) => showsReceivers(asked.body, found));",
      "requireReceivers(stacks, (found) => showsReceivers(asked.body, found) || found.services.length > 0);",
    ],
  ),
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
];
