import { ApiError, type Client } from "../../api";
import { grantedLevel } from "../../provider";
import { counted } from "../../text";
import type { Approval, ApprovedChange } from "../approval/file";
import { type Container, Memberships } from "./memberships";
import { originOf } from "./platform";

/**
 * An approval of a merge request, with the facts that decide whether the approval counts. These facts do not depend on the
 * plan.
 */
export interface GivenApproval {
  readonly user: number;
  readonly username: string;
  /** Whether the approval is older than the last push, or older than the text of the comment. */
  readonly isEarly: boolean;
  readonly isAuthor: boolean;
  readonly isPusher: boolean;
  /** Whether the approval is from the user of STEWARD_COMMENT_TOKEN. */
  readonly isOwn: boolean;
}

/** A condition of an apply: a number of entitled people has to approve. */
interface Requirement {
  /** The people who are entitled to approve, such as `Maintainer or above of project acme/web`. */
  readonly who: string;
  readonly people: number;
  /** Returns the reason why a person is not entitled; undefined if the person is entitled. */
  refusal(user: number): Promise<string | undefined>;
}

/** The judgement about the approvals of a plan: whether the approvals are enough, and if not, why. */
export interface Verdict {
  readonly isMet: boolean;
  /** The conditions that are not met, and the reason for each approval that does not count. */
  readonly lines: readonly string[];
}

const MAINTAINER = 40;
const LEVEL_NAMES: Readonly<Record<number, string>> = {
  5: "Minimal access",
  10: "Guest",
  15: "Planner",
  20: "Reporter",
  25: "Security Manager",
  30: "Developer",
  40: "Maintainer",
  50: "Owner",
};
const nameOfLevel = (level: number): string => LEVEL_NAMES[level] ?? `access level ${level}`;

/**
 * Judges the approvals of a plan.
 *
 * @param service the address of the platform: Steward can look up members only there
 * @param atLeast the minimum number of people who have to approve
 * @throws ApiError if users or memberships can't be read
 */
export async function judge(
  client: Client,
  service: string | undefined,
  approval: Approval,
  given: readonly GivenApproval[],
  atLeast: number,
): Promise<Verdict> {
  const requirements = requirementsOf(approval, atLeast, client, service);
  const people = new Map(
    await Promise.all(
      given.map(async (one) => [one.username, await personRefusal(one, approval, client)] as const),
    ),
  );
  const lines: string[] = [];
  let isMet = true;
  for (const { who, people: needed, refusal } of requirements) {
    const refusals = await Promise.all(
      given.map(async (one) => ({
        name: one.username,
        why: people.get(one.username) ?? (await refusal(one.user)),
      })),
    );
    const counting = refusals.filter(({ why }) => why === undefined);
    if (counting.length >= needed) continue;
    isMet = false;
    lines.push(
      `${counted(needed, "approval is", "approvals are")} needed from ${who}, and ${counted(counting.length, "approval counts", "approvals count")}${namesOf(counting)}.`,
      ...refusals.flatMap(({ name, why }) => (why === undefined ? [] : [doesNotCount(name, why)])),
    );
  }
  return { isMet, lines: [...new Set(lines)] };
}

const namesOf = (people: readonly { readonly name: string }[]): string =>
  people.length === 0 ? "" : ` (${people.map(({ name }) => name).join(", ")})`;

/** Returns the reason why an approval can't count for any plan; undefined if the approval can count. */
function invalidFor({ isEarly, isOwn }: Pick<GivenApproval, "isEarly" | "isOwn">): string | undefined {
  if (isOwn) return "it is from the user of STEWARD_COMMENT_TOKEN";
  if (isEarly) return "it is older than the last push, or than the digest in the comment; approve again";
  return undefined;
}

/** Judges the approvals before Steward knows the plan. Leaves out only approvals that can't count for any plan. */
export function judgeUnseen(given: readonly GivenApproval[], atLeast: number): Verdict {
  const refused = given.flatMap((one) => {
    const why = invalidFor(one);
    return why === undefined ? [] : [doesNotCount(one.username, why)];
  });
  const counting = given.length - refused.length;
  const lines = [
    `${counted(atLeast, "approval is", "approvals are")} needed, and ${counted(counting, "approval counts", "approvals count")}.`,
    ...refused,
  ];
  return { isMet: counting >= atLeast, lines };
}

const doesNotCount = (name: string, why: string): string => `The approval of ${name} does not count: ${why}.`;

/** Returns the reason why the approval of a person does not count; undefined if the approval counts. */
async function personRefusal(
  { user, isEarly, isAuthor, isPusher, isOwn }: GivenApproval,
  { approvers }: Approval,
  client: Client,
): Promise<string | undefined> {
  const ofTime = invalidFor({ isEarly, isOwn });
  if (ofTime !== undefined) return ofTime;
  const isAllowedAuthor = isAuthor && approvers?.allow_author === true;
  if (isAuthor && !isAllowedAuthor)
    return "it is from the author of the merge request; another person has to approve";
  if (isPusher && !isAllowedAuthor && approvers?.allow_committers !== true)
    return "the person pushed to the branch; another person has to approve";
  const found = await client.users.get(user).catch((problem: unknown) => {
    if (problem instanceof ApiError && problem.code === "not_found") return undefined;
    throw problem;
  });
  if (found === undefined) return "the user no longer exists";
  if (found.state !== "active") return `the user is ${found.state ?? "not known to be active"}`;
  const isNamed = approvers?.bots?.some((name) => isNameOf(name, found.username)) === true;
  if (found.bot !== false && !isNamed)
    return found.bot === true
      ? "the user is a bot, and no policy names it"
      : "the service does not say whether the user is a bot";
  return undefined;
}

const isNameOf = (name: string, username: string): boolean =>
  name.slice(1).toLowerCase() === username.toLowerCase();

function requirementsOf(
  { approvers, approvals, changes }: Approval,
  atLeast: number,
  client: Client,
  service: string | undefined,
): Requirement[] {
  const memberships = new Memberships(client);
  const people = Math.max(atLeast, approvers?.people ?? approvals);
  const rules = (approvers?.rules ?? []).map(({ rule, people: asked, named }) =>
    ofNames(named, asked, `, as the policy ${JSON.stringify(rule)} asks`, client, memberships),
  );
  if (approvers?.named !== undefined)
    return [ofNames(approvers.named, people, "", client, memberships), ...rules];
  return [...ofContainers(changes, people, memberships, service), ...rules];
}

/** Returns the condition that requires approvals from the people whom a policy names. */
const ofNames = (
  names: readonly string[],
  people: number,
  why: string,
  client: Client,
  memberships: Memberships,
): Requirement => ({
  who: `${names.join(" or ")}${why}`,
  people,
  async refusal(user) {
    for (const name of names) if (await isOrIsIn(name, user, client, memberships)) return undefined;
    return `the person is not ${names.join(" or ")}, and not a member of such a group`;
  },
});

/**
 * Returns true if a person is the named user or a member of the named group. On the platform, users and groups share one
 * namespace, so a name without a slash never belongs to a user and also to a group.
 */
async function isOrIsIn(
  name: string,
  user: number,
  client: Client,
  memberships: Memberships,
): Promise<boolean> {
  const path = name.slice(1);
  const named = path.includes("/") ? undefined : await client.users.byUsername(path);
  if (named !== undefined) return named.id === user;
  return (await memberships.levelIn({ kind: "group", path }, user, 1)) > 0;
}

/**
 * Returns a condition for each changed project and group: members of the project or group have to approve. An approving member
 * needs at least the level that the changes grant. Therefore, no member can approve a level that is higher than the member's
 * own level.
 */
function ofContainers(
  changes: readonly ApprovedChange[],
  people: number,
  memberships: Memberships,
  service: string | undefined,
): Requirement[] {
  const needed = new Map<string, { readonly container: Container; level: number }>();
  const others: Requirement[] = [];
  for (const change of changes) {
    const container = containerOf(change);
    if (container === undefined || originOf(change.service) !== originOf(service)) {
      others.push(ofUnknown(change, people, container));
      continue;
    }
    const level = levelFor(change);
    const known = needed.get(change.in!);
    if (known === undefined) needed.set(change.in!, { container, level });
    else known.level = Math.max(known.level, level);
  }
  const members = [...needed.values()].map(({ container, level }): Requirement => {
    const place = `${container.kind} ${container.path}`;
    return {
      who: `${nameOfLevel(level)} or above of ${place}`,
      people,
      async refusal(user) {
        const found = await memberships.levelIn(container, user, level);
        if (found >= level) return undefined;
        return found === 0
          ? `STEWARD_COMMENT_TOKEN sees no active membership of the person in ${place}`
          : `the person is ${nameOfLevel(found)} of ${place}, and ${nameOfLevel(level)} is needed`;
      },
    };
  });
  return [...members, ...others];
}

/**
 * Returns the condition for a change in a project or group whose members Steward can't read. Only people whom a policy names
 * can approve this change.
 */
const ofUnknown = (
  { address, service }: ApprovedChange,
  people: number,
  container: Container | undefined,
): Requirement => ({
  who: `people whom a policy names in \`approval.approvers\`, because ${
    container === undefined
      ? `the project or group of ${address} is not known`
      : `${address} is on ${service}, whose members the platform of the pipeline does not know`
  }`,
  people,
  refusal: () => Promise.resolve(`no policy names approvers for ${address}`),
});

function containerOf({ in: place }: ApprovedChange): Container | undefined {
  const [, kind, path] = /^(project|group) (.+)$/s.exec(place ?? "") ?? [];
  return kind === undefined ? undefined : { kind: kind as Container["kind"], path: path! };
}

/** Returns the access level that a change grants to a person; Maintainer if the change grants no membership. */
function levelFor({ type, action, before, after, live }: ApprovedChange): number {
  const isNew = action !== "update" && action !== "import" && action !== "move";
  return grantedLevel(type, isNew ? null : (before ?? live ?? null), after) ?? MAINTAINER;
}
