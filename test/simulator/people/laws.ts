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

/** A write of an apply job that changed a setting. */
export interface Written {
  readonly slot: Slot;
  readonly before: string;
  readonly after: string;
  /** Method and path. */
  readonly request: string;
}

/** Whether job tokens of other projects are limited, before and after an apply. Only then an entry of the list gives access. */
interface Limit {
  readonly before: string;
  readonly after: string;
}

const givesAccess = ({ before, after }: Limit): boolean => before === "true" && after === "true";

/** Whether an entry gives access now, and did not when people read the comment. */
function gainsUnshown({ asked, head: { values } }: Request, app: App, limit: Limit): boolean {
  const found = asked.get(app);
  if (found === undefined) return false;
  const before = found.live.limit;
  return givesAccess(limit) && !givesAccess({ before, after: values.limit || before });
}

/** Why a request does not allow a write; undefined if it does. */
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

/** Why the approvals of a comment are not enough; undefined if they are. */
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
  // The rules of the target branch judged the comment, and the rules before the merge judge the apply.
  const isLimit = showsLimit(note.body);
  for (const policy of new Set([requests.askedPolicy(request, app), judgingPolicy(world, commit)])) {
    const people = peopleOf(world, request, { app, note, level, policy });
    const needed = neededPeople(policy, story.atLeast, policy === "ruled" && isLimit);
    if (people.length < needed)
      return `${people.length} of ${needed} entitled people approved it (${policy})`;
  }
  return undefined;
}

/** Whether people who read the comment of a request learn which rules it changes. */
export const showsRulesOf = (world: Stage, { base, head }: Request, body: string): boolean =>
  !changesRules(world.story) ||
  showsRules(body, {
    isPolicy: world.policyOf(base) !== world.policyOf(head),
    isOwners: base.values.owners !== head.values.owners,
  });

/** The policy that judges the apply of a commit. */
const judgingPolicy = (world: Stage, commit: Commit): Policy =>
  world.policyOf(world.requests.repository.before(commit));

/** A comment that people read. */
interface Reading {
  readonly app: App;
  readonly note: Note;
  /** The access level that an approver needs. */
  readonly level: number;
  readonly policy: Policy;
}

/** The people whose approvals of a comment count. */
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

/** First law: nothing is written that enough entitled people did not approve for that request, and once. */
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

/** First law, of tokens: no service gets the token of the apply unless people who may approve read its address. */
export function checkReceivers(world: Stage, app: App, commit: Commit): void {
  const isShown = (body: string) => body.split("\n<details>", 1)[0]!.includes(ELSEWHERE);
  // A retry reads the service under the approval that the apply of its commit completed.
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
 * Second law: what people approved and merged is applied in the end, by the job of the branch's head. Where a change without
 * approval blocks the job, one more request that people approve applies everything.
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

/** The settings of an app that the head of the branch declares, and that are not so. */
function undone({ requests, live, disk }: Stage, app: App): Slot[] {
  const { values } = requests.repository.head;
  const held = heldValues(disk, app);
  return SLOTS.filter((slot) => {
    const value = declaredValue(values, slot);
    // An undeclared setting may have any value, unless the state has it.
    return appOf(slot) === app && value !== live[slot] && (value !== "" || held.has(slot));
  });
}

/** Whether the plan of the branch's head has a change without approval: the job names it, and applies nothing. */
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
  // A branch behind the default one asks to approve changes that the merge does not make.
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

/** Whether other rules judged a comment than its apply: people have to approve again. */
const isJudgedByOthers = (world: Stage, request: Request, app: App): boolean =>
  request.merged !== undefined &&
  !request.spent.has(app) &&
  request.asked.get(app) !== undefined &&
  world.requests.askedPolicy(request, app) !== judgingPolicy(world, world.requests.repository.head);

/** The changes of a request that are not live. */
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
    // Any later commit of the branch may have changed it again, also one without a request.
    const isChangedLater = declaredValue(head.values, slot) !== after;
    if (isChangedLater || world.handmade.has(slot)) continue;
    world.report("applied", `${slot}: ${before}, and !${request.iid} with ${after} is approved and merged`);
  }
}

/** All entitled people approve one more request, which changes no file. Its plan has all missing changes, so its job applies them. */
async function checkWayOut(world: Stage, app: App): Promise<void> {
  const { requests, platform, story, members } = world;
  const held = heldValues(world.disk, app);
  // Steward never creates an object that exists already: people import or remove it.
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

/** Authors of that request: others have to approve it. */
const STRANGERS = ["stranger", "mallory", "dora"] as const;

/** Maintainers of the project with the requests. */
const MERGERS = ["mallory", "ana"] as const;
