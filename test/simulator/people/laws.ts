import { PEOPLE, type Person } from "./company";
import { countingPeople, neededPeople } from "./entitled";
import type { Note } from "./platform";
import type { Commit } from "./repository";
import type { Request } from "./requests";
import {
  type App,
  appOf,
  declaredValue,
  ELSEWHERE,
  heldValues,
  isElement,
  isHeld,
  isSameObject,
  levelFor,
  SLOTS,
  type Slot,
  shows,
  showsLimit,
  showsRules,
} from "./settings";
import type { Stage } from "./stage";
import { changesRules, type Policy } from "./story";

/** A write with which an apply job changed a setting. */
export interface Written {
  readonly slot: Slot;
  readonly before: string;
  readonly after: string;
  /** Method and path. */
  readonly request: string;
}

/**
 * Whether the job token scope limits other projects, before and after an apply. An entry of the list gives access only
 * with the limit on.
 */
interface Limit {
  readonly before: string;
  readonly after: string;
}

const givesAccess = ({ before, after }: Limit): boolean => before === "true" && after === "true";

/**
 * Returns true if entries of the list give access with this limit, but give none with the limit that people saw in the
 * comment.
 */
function gainsUnshown({ asked, head: { values } }: Request, app: App, limit: Limit): boolean {
  const found = asked.get(app);
  if (found === undefined) return false;
  const before = found.live.limit;
  return givesAccess(limit) && !givesAccess({ before, after: values.limit || before });
}

/**
 * Returns the reason for which a merge request does not allow a write. Returns undefined if the merge request allows
 * the write.
 */
function refusal(
  world: Stage,
  request: Request,
  { slot, before, after }: Written,
  commit: Commit,
  limit: Limit,
): string | undefined {
  const app = appOf(slot);
  if ((request.head.values.service ?? "") !== (commit.values.service ?? ""))
    return "it is about another service";
  const asked = request.asked.get(app);
  if (!isElement(slot) && asked !== undefined && asked.live[slot] !== before)
    return `its comment changes it from ${asked.live[slot]}`;
  if (isElement(slot) && after === "in" && gainsUnshown(request, app, limit))
    return "its comment does not show who gains access";
  const shown = (body: string) => shows(body, slot, after);
  return refusalOf(world, request, app, levelFor(slot, before, after), shown, commit);
}

/**
 * Returns the reason for which the approvals of a comment are not enough. Returns undefined if the approvals are
 * enough.
 */
function refusalOf(
  world: Stage,
  request: Request,
  app: App,
  level: number,
  isShown: (body: string) => boolean,
  commit: Commit = world.requests.repository.head,
): string | undefined {
  const { story, platform, requests } = world;
  if (request.merged === undefined) return "it is not merged";
  if (request.spent.has(app)) return "it was applied before";
  const note = platform.comment(request.iid, app);
  if (note === undefined) return "it has no comment";
  if (!requests.isAsked(request, app, note)) return "its comment was edited";
  if (!isShown(note.body)) return "its comment does not show the change";
  if (!showsRulesOf(world, request, note.body)) return "its comment does not show that it changes rules";
  // The comment was judged by the rules of the target branch at that time. The apply is judged by the rules before the
  // merge. The approvals must be enough for both sets of rules.
  const isLimit = showsLimit(note.body);
  for (const policy of new Set([requests.askedPolicy(request, app), judgingPolicy(world, commit)])) {
    const people = peopleOf(world, request, { app, note, level, policy });
    const needed = neededPeople(policy, story.atLeast, policy === "ruled" && isLimit);
    if (people.length < needed)
      return `${people.length} of ${needed} entitled people approved it (${policy})`;
  }
  return undefined;
}

/** Returns true if the comment of a merge request shows the rules that the merge request changes. */
export const showsRulesOf = (world: Stage, { base, head }: Request, body: string): boolean =>
  !changesRules(world.story) ||
  showsRules(body, {
    isPolicy: world.policyOf(base) !== world.policyOf(head),
    isOwners: base.values.owners !== head.values.owners,
  });

/** Returns the policy that judges the apply of a commit. */
const judgingPolicy = (world: Stage, commit: Commit): Policy =>
  world.policyOf(world.requests.repository.before(commit));

/** A comment that people read, with the requirements for its approvers. */
interface Reading {
  readonly app: App;
  readonly note: Note;
  /** The access level that an approver needs. */
  readonly level: number;
  readonly policy: Policy;
}

/** Returns the people whose approvals of a comment count. */
function peopleOf(
  { members }: Stage,
  { author, pushers, head, approvals }: Request,
  { app, note: { body, updated_at: updated }, level, policy }: Reading,
): Person[] {
  const isElsewhere = (head.values.service ?? "") !== "";
  const comment = { app, body, updated, isElsewhere };
  const judged = { author, pushers, head: head.sha };
  return countingPeople(approvals, judged, comment, policy, level, members);
}

/**
 * Checks the law `approved`: a job writes only changes that enough entitled people approved for a merged request, and
 * each approval allows one apply.
 */
export function checkWrites(
  world: Stage,
  app: App,
  commit: Commit,
  writes: readonly Written[],
  isDone: boolean,
): void {
  const { all, repository } = world.requests;
  if (writes.length > 0 && commit !== repository.head)
    world.report("approved", `the job of ${commit.sha} writes, and the branch is at ${repository.head.sha}`);
  const ofLimit = writes.find(({ slot }) => slot === "limit");
  const before = ofLimit?.before ?? world.live.limit;
  const limit = { before, after: commit.values.limit || before };
  const allowed = new Set<Request>();
  for (const written of writes) {
    const reasons = all.map((request) => [request, refusal(world, request, written, commit, limit)] as const);
    const [found] = reasons.find(([, why]) => why === undefined) ?? [];
    if (found === undefined)
      world.report(
        "approved",
        `${written.slot}: ${written.before} → ${written.after} (${written.request}): ${reasons.map(([{ iid }, why]) => `!${iid}: ${why}`).join("; ")}`,
      );
    else allowed.add(found);
  }
  if (isDone) for (const request of allowed) request.spent.add(app);
}

/**
 * Checks the law `receivers`: a service gets the apply token only if the comment showed the service's address and
 * enough entitled people approved.
 */
export function checkReceivers(world: Stage, app: App, commit: Commit): void {
  const isShown = (body: string) => body.split("\n<details>", 1)[0]!.includes(ELSEWHERE);
  // Returns true if a job for the same commit already applied the changes. A retry may then read the service again
  // under the same approval.
  const isRetry = ({ merged, spent, asked }: Request) =>
    merged === commit && spent.has(app) && isShown(asked.get(app)?.text ?? "");
  if (world.requests.all.some(isRetry)) return;
  const reasons = world.requests.all.map(
    (request) => [request, refusalOf(world, request, app, 0, isShown)] as const,
  );
  if (reasons.some(([, why]) => why === undefined)) return;
  const why = reasons.map(([{ iid }, one]) => `!${iid}: ${one}`).join("; ");
  world.report("receivers", `The token of the apply is sent to ${ELSEWHERE}: ${why}`);
}

/**
 * Checks the law `applied`: at the end, the job of the branch's head applies all changes that are approved and merged.
 * If a change without approval blocks the job, people approve one more merge request, whose job applies everything.
 */
export async function checkEnd(world: Stage): Promise<void> {
  for (const app of world.story.apps) {
    const isBlocked = blocks(world, app);
    await world.apply(app, 0);
    if (world.violations.length > 0) return;
    if (isBlocked) world.count("a change without approval blocks others");
    else for (const request of world.requests.all) checkApplied(world, request, app);
    if (world.violations.length === 0 && undone(world, app).length > 0) await checkWayOut(world, app);
  }
}

/** Returns the settings of an app whose live values differ from the head of the branch. */
function undone({ requests, live, disk }: Stage, app: App): Slot[] {
  const { values } = requests.repository.head;
  const held = heldValues(disk, app);
  return SLOTS.filter((slot) => {
    const value = declaredValue(values, slot);
    // An undeclared setting may have any live value, unless it is in the state. In that case, the job still has to
    // delete the setting.
    return appOf(slot) === app && value !== live[slot] && (value !== "" || held.has(slot));
  });
}

/**
 * Returns true if the plan of the branch's head contains a change without approval. The job then reports this change
 * and applies nothing.
 */
function blocks(world: Stage, app: App): boolean {
  const { requests, live, disk } = world;
  const { all, repository } = requests;
  const { head } = repository;
  const held = heldValues(disk, app);
  const planned = SLOTS.filter((slot) => {
    const value = declaredValue(head.values, slot);
    if (appOf(slot) !== app) return false;
    return (value !== "" && live[slot] !== value) || !isHeld(held, slot, value);
  });
  // A merge request from an outdated branch asks to approve a plan with changes that its merge does not make.
  if (all.some((request) => request.merged && !request.spent.has(app) && request.asked.get(app)?.isBehind))
    return true;
  if (all.some((request) => isJudgedByOthers(world, request, app))) return true;
  const limit = { before: live.limit, after: head.values.limit || live.limit };
  const isRevert = (slot: Slot): boolean => isHeld(held, slot, declaredValue(head.values, slot));
  return planned.some((slot) => {
    const ofObject = planned.filter((other) => isSameObject(slot, other));
    if (ofObject.every(isRevert)) return false;
    if (ofObject.some((other) => world.handmade.has(other))) return true;
    const written = { slot, before: live[slot], after: declaredValue(head.values, slot), request: "" };
    return all.every((request) => refusal(world, request, written, head, limit) !== undefined);
  });
}

/**
 * Returns true if the rules that judged a comment differ from the rules that judge its apply. People then have to
 * approve again.
 */
const isJudgedByOthers = (world: Stage, request: Request, app: App): boolean =>
  request.merged !== undefined &&
  !request.spent.has(app) &&
  request.asked.get(app) !== undefined &&
  world.requests.askedPolicy(request, app) !== judgingPolicy(world, world.requests.repository.head);

/** Returns the changes that a merge request makes and that are not live. */
function openChanges({ requests, live }: Stage, request: Request, app: App): Written[] {
  const changes = requests.repository.changesOf(request);
  return SLOTS.flatMap((slot) => {
    const [before, after] = [live[slot], changes[slot]];
    if (after === undefined || appOf(slot) !== app || before === after) return [];
    return [{ slot, before, after, request: "" }];
  });
}

function checkApplied(world: Stage, request: Request, app: App): void {
  const { repository } = world.requests;
  if (request.merged === undefined || request.spent.has(app)) return;
  const open = openChanges(world, request, app);
  const { head } = repository;
  const limit = { before: world.live.limit, after: head.values.limit || world.live.limit };
  if (open.some((one) => refusal(world, request, one, head, limit) !== undefined)) return;
  for (const { slot, before, after } of open) {
    // A later commit of the branch may have changed the setting again. A commit of the branch can exist without a merge
    // request.
    const isChangedLater = declaredValue(head.values, slot) !== after;
    if (isChangedLater || world.handmade.has(slot)) continue;
    world.report("applied", `${slot}: ${before}, and !${request.iid} with ${after} is approved and merged`);
  }
}

/**
 * Checks that a blocked job has a way out: one more merge request that changes no file. The plan of this merge request
 * contains all missing changes. All entitled people approve the plan. Then the merge request's job applies the plan.
 */
async function checkWayOut(world: Stage, app: App): Promise<void> {
  const { requests, platform, story, members } = world;
  const held = heldValues(world.disk, app);
  // Steward never creates an object that exists already. Here, people would have to import or delete the object first.
  if (world.handmade.has("guest") && !held.has("guest")) return;
  const by = STRANGERS.find((who) => members.isActive(who));
  const merger = MERGERS.find((who) => members.isActive(who));
  if (merger === undefined) return world.count("nobody can merge");
  const request = by && requests.open(by, {});
  if (request === undefined) return;
  await world.pipeline(request);
  world.pass();
  for (const who of PEOPLE) if (who !== by) requests.approve(request, who, story.apps);
  const note = platform.comment(request.iid, app);
  if (note === undefined) return world.report("applied", "the way out has no comment");
  const policy = requests.askedPolicy(request, app);
  const entitled = peopleOf(world, request, { app, note, level: 50, policy });
  const needed = neededPeople(policy, story.atLeast, policy === "ruled" && showsLimit(note.body));
  if (entitled.length < needed) return world.count("nobody can approve");
  requests.merge(request, "fast-forward", merger);
  await world.apply(app, 0);
  world.count("one more request applies the rest");
  const left = undone(world, app);
  if (left.length > 0) world.report("applied", `the way out leaves ${left.join(", ")}`);
}

/**
 * The possible authors of the additional merge request of `checkWayOut`. Authors may not approve their own merge
 * request.
 */
const STRANGERS = ["stranger", "mallory", "dora"] as const;

/** The people who can merge this additional merge request: maintainers of the project `ops/settings`. */
const MERGERS = ["mallory", "ana"] as const;
