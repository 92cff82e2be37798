import type { Person } from "./company";
import { ELSEWHERE, type Values } from "./settings";
import type { Policy, Step, Story } from "./story";

const open = (by: Person, changes: Values, sameHeadAs?: number): Step => ({
  do: "open",
  by,
  changes,
  ...(sameHeadAs !== undefined && { sameHeadAs }),
});
const pipeline = (request = 0): Step => ({ do: "pipeline", request });
const approve = (by: Person, request = 0): Step => ({ do: "approve", request, by });
const merge = (request = 0): Step => ({ do: "merge", request, how: "fast-forward" });
const job: Step = { do: "job", app: "shop", back: 0 };

const LIMIT: Values = { limit: "true" };

interface Options {
  readonly policy?: Policy;
  readonly atLeast?: number;
}

const story = (steps: readonly Step[], { policy = "none", atLeast = 1 }: Options = {}): Story => ({
  seed: 1,
  policy,
  atLeast,
  apps: ["shop"],
  steps: [...steps, job],
});

/**
 * Returns a story in which `by` approves a change of dora's. Some faults need other values of `options` or `changes`.
 */
const approvedBy = (by: Person, options: Options = {}, changes = LIMIT): Story =>
  story([open("dora", changes), pipeline(), approve(by), merge()], options);

/**
 * A story for each planted fault. The story breaks a law only with the fault. Without the fault, Steward refuses the
 * apply, because the approvals are not enough or the comment does not show the plan.
 */
export const BINDINGS: Readonly<Record<string, Story>> = {
  "The request: an open request with this head counts as merged": story([
    open("dora", LIMIT),
    pipeline(),
    approve("ben"),
    open("stranger", {}, 0),
    pipeline(1),
    merge(1),
  ]),
  "The branch: a request that was merged into any branch counts": story([
    open("dora", LIMIT),
    pipeline(),
    approve("ben"),
    { do: "merge", request: 0, how: "into release" },
  ]),
  "Spent: an approval is never spent": story([
    open("dora", { limit: "false" }),
    pipeline(),
    approve("ben"),
    merge(),
    job,
    open("dora", LIMIT),
    pipeline(1),
    approve("ben", 1),
    merge(1),
    job,
    { do: "hand", slot: "limit", value: "false" },
  ]),
  "Spent: a deleted note makes an approval usable again": story([
    open("dora", LIMIT),
    pipeline(),
    approve("ben"),
    merge(),
    job,
    { do: "remove mark", request: 0, app: "shop", how: "delete" },
    { do: "hand", slot: "limit", value: "false" },
  ]),
  "The comment: an edited text counts": story([
    open("dora", LIMIT),
    pipeline(),
    { do: "edit comment", request: 0, app: "shop", how: "a change left out" },
    approve("ben"),
    merge(),
  ]),
  "The job: a job of an older commit applies": story([
    open("dora", LIMIT),
    pipeline(),
    approve("ben"),
    merge(),
    open("stranger", { tools: "in" }),
    merge(1),
    { do: "job", app: "shop", back: 1 },
  ]),
  "The services: the token goes to services that no comment names": story([
    open("dora", LIMIT),
    pipeline(),
    approve("ben"),
    open("stranger", { service: ELSEWHERE }),
    merge(1),
    { do: "merge", request: 0, how: "merge" },
  ]),
  "The services: a comment without changes opens a service": story([
    open("dora", LIMIT),
    pipeline(),
    approve("ben"),
    merge(),
    job,
    open("stranger", { service: ELSEWHERE }),
    pipeline(1),
    open("dora", { tools: "in" }),
    pipeline(2),
    approve("ben", 2),
    merge(1),
    { do: "merge", request: 2, how: "merge" },
  ]),
  "The number of approvers: one is always enough": approvedBy("ben", { policy: "two" }),
  "The author: the approval of the author counts": story(
    [open("ana", LIMIT), pipeline(), approve("ana"), merge()],
    { policy: "committers" },
  ),
  "The pusher: approvals of people who pushed count": story([
    open("dora", LIMIT),
    { do: "push", request: 0, by: "ben", changes: { tools: "in" } },
    pipeline(),
    approve("ben"),
    merge(),
  ]),
  "Membership: people without a membership count": approvedBy("stranger"),
  "Membership: a lower level than the granted one is enough": approvedBy(
    "dora",
    { policy: "author" },
    { guest: "50" },
  ),
  "Membership: people who were blocked count": story(
    [
      open("dora", LIMIT),
      pipeline(),
      approve("security"),
      { do: "member", who: "security", becomes: "blocked" },
      merge(),
    ],
    { policy: "security" },
  ),
  "The policy: bots count without being named": approvedBy("robot"),
  "The policy: members count instead of the named approvers": approvedBy("ben", { policy: "security" }),
  "The comment: an approval from before its last edit counts": story([
    open("dora", LIMIT),
    pipeline(),
    { do: "edit comment", request: 0, app: "shop", how: "harmless text" },
    approve("ben"),
    pipeline(),
    merge(),
  ]),
  "The approval file: a file of other changes than the report's counts": story([
    open("dora", LIMIT),
    { do: "pipeline", request: 0, tampering: "no changes" },
  ]),
  "The app: a comment is the one of every app": approvedBy("ben"),
  "The change: an element that nobody approved is applied with an approved one": story([
    open("dora", { tools: "in" }),
    pipeline(),
    approve("ben"),
    merge(),
    job,
    open("dora", { tools: "out" }),
    pipeline(1),
    approve("ben", 1),
    open("stranger", { own: "in" }),
    { do: "merge", request: 2, how: "merge" },
    { do: "merge", request: 1, how: "merge" },
  ]),
  "The change: another value than the approved one is applied": story([
    open("dora", { tools: "in" }),
    pipeline(),
    approve("ben"),
    open("stranger", { own: "in" }),
    merge(),
    { do: "merge", request: 1, how: "merge" },
  ]),
  // The entries of the list give access only once the limit is on. The comment about the entries was written before the
  // limit was on.
  "Gains: access that no comment shows is applied": story([
    open("ben", LIMIT),
    open("dora", { own: "in", tools: "in" }),
    pipeline(),
    pipeline(1),
    approve("olga"),
    merge(),
    job,
    approve("olga", 1),
    { do: "merge", request: 1, how: "squash" },
  ]),
  "Rules: an approval under other policies counts": story([
    open("dora", { policy: "two" }),
    open("dora", LIMIT),
    pipeline(1),
    approve("ben", 1),
    merge(),
    open("dora", { tools: "in" }),
    pipeline(2),
    approve("ben", 2),
    approve("olga", 2),
    { do: "merge", request: 1, how: "merge" },
    { do: "merge", request: 2, how: "merge" },
  ]),
  "Rules: the policies of a request judge it": approvedBy(
    "ben",
    { policy: "two" },
    { limit: "true", policy: "author" },
  ),
  "Rules: the comment does not show which rules change": approvedBy(
    "ben",
    {},
    { limit: "true", policy: "author", owners: "mallory" },
  ),
};
