import type { Person } from "./company";
import { LEVEL_OF } from "./company";
import type { Policy } from "./story";

/** An approval on the platform, with the comments that the approver had read. */
export interface GivenApproval {
  readonly by: Person;
  /** The head commit of the merge request at the time of the approval. */
  readonly head: string;
  /** The comments at the time of the approval, by app. */
  readonly read: Readonly<Record<string, string | undefined>>;
  /** The times of the last edits of these comments, by app. */
  readonly written: Readonly<Record<string, string | undefined>>;
}

/** The roles of people at the current step of the story. */
export class Members {
  readonly #levels = new Map<Person, number>(Object.entries(LEVEL_OF) as [Person, number][]);
  readonly #blocked = new Set<Person>();

  set(who: Person, level: number): void {
    this.#levels.set(who, level);
  }

  block(who: Person, isBlocked: boolean): void {
    if (isBlocked) this.#blocked.add(who);
    else this.#blocked.delete(who);
  }

  isActive(who: Person): boolean {
    return !this.#blocked.has(who);
  }

  levelOf(who: Person): number {
    return this.#levels.get(who) ?? 0;
  }
}

/** The fields of a merge request that decide who may approve it. */
interface Judged {
  readonly author: Person;
  readonly pushers: ReadonlySet<Person>;
  readonly head: string;
}

/** A comment about an app, with the time of its last edit. */
interface JudgedComment {
  readonly app: string;
  readonly body: string;
  readonly updated: string;
  /** True if the merge request changes the address of the service. The members of the other service are unknown. */
  readonly isElsewhere: boolean;
}

/**
 * Returns the people whose approvals count by the rules of `docs/approvals.md`. This function is a second
 * implementation of these rules, independent of the commands.
 */
export function countingPeople(
  approvals: readonly GivenApproval[],
  { author, pushers, head }: Judged,
  { app, body, updated, isElsewhere }: JudgedComment,
  policy: Policy,
  level: number,
  members: Members,
): Person[] {
  return approvals
    .filter((one) => one.head === head && one.read[app] === body && one.written[app] === updated)
    .map(({ by }) => by)
    .filter((who) => who !== author || policy === "author")
    .filter((who) => !pushers.has(who) || policy === "committers" || (who === author && policy === "author"))
    .filter((who) => members.isActive(who))
    .filter((who) => who !== "robot" || policy === "robot")
    .filter((who) =>
      policy === "security" ? who === "security" : !isElsewhere && members.levelOf(who) >= level,
    );
}

/** Returns the number of people who have to approve. */
export const neededPeople = (policy: Policy, atLeast: number, isRuled: boolean): number =>
  Math.max(atLeast, policy === "two" || isRuled ? 2 : 1);

const POLICY_TEXT: Readonly<Partial<Record<Policy, string>>> = {
  two: "{ approvals: 2 }",
  committers: "{ allowCommitters: true }",
  author: "{ allowAuthor: true }",
  robot: '{ bots: ["@robot"] }',
  security: '{ approvers: ["@security"] }',
};

const RULE = `module.exports.default = [{
  name: "two for scopes", why: "Job tokens reach other projects.", approvals: 2,
  types: ["steward_job_token_scope"],
  checkChange: () => [{ what: "It changes a limit of job tokens.", fix: "Leave it." }],
}];
`;
const WAIVER = `module.exports.waivers = [{
  rule: "two for scopes", project: "acme/*", reason: "A migration", owner: "ana", until: "2026-12-01",
}];
`;

/** Returns the text of the module that contains a policy. Undefined for the policy `none`. */
export function policyModule(policy: Policy): string | undefined {
  if (policy === "ruled") return RULE;
  if (policy === "waived") return `${RULE}${WAIVER}`;
  const approval = POLICY_TEXT[policy];
  return approval && `module.exports = { default: [], approval: ${approval} };\n`;
}
