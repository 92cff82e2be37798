import { countingPeople, neededPeople } from "./entitled";
import type { Commit } from "./repository";
import type { Request } from "./requests";
import { type App, appOf, ELSEWHERE, levelFor, SLOTS, type Slot, shows } from "./settings";
import type { Stage } from "./stage";

/** A write of an apply job that changed a setting. */
export interface Written {
  readonly slot: Slot;
  readonly before: string;
  readonly after: string;
  /** Method and path. */
  readonly request: string;
}

/** Why a request does not allow a write; undefined if it does. */
function refusal(
  world: Stage,
  request: Request,
  { slot, before, after }: Written,
  commit: Commit,
): string | undefined {
  const app = appOf(slot);
  if ((request.head.values.service ?? "") !== (commit.values.service ?? ""))
    return "it is about another service";
  const shown = (body: string) => shows(body, slot, after);
  return refusalOf(world, request, app, levelFor(slot, before, after), shown);
}

/** Why the approvals of a comment are not enough; undefined if they are. */
function refusalOf(
  { story, members, platform }: Stage,
  request: Request,
  app: App,
  level: number,
  isShown: (body: string) => boolean,
): string | undefined {
  if (request.merged === undefined) return "it is not merged";
  if (request.spent.has(app)) return "it was applied before";
  const note = platform.comment(request.iid, app);
  if (note === undefined) return "it has no comment";
  if (!isShown(note.body)) return "its comment does not show the change";
  const judged = { author: request.author, pushers: request.pushers, head: request.head.sha };
  const comment = { app, body: note.body, updated: note.updated_at };
  const people = countingPeople(request.approvals, judged, comment, story.policy, level, members);
  const needed = neededPeople(story.policy, story.atLeast);
  return people.length >= needed ? undefined : `${people.length} of ${needed} entitled people approved it`;
}

/** First law: nothing is written that enough entitled people did not approve for that request, and once. */
export function checkWrites(
  world: Stage,
  app: App,
  commit: Commit,
  writes: readonly Written[],
  isDone: boolean,
): void {
  const { all } = world.requests;
  const allowed = new Set<Request>();
  for (const written of writes) {
    const reasons = all.map((request) => [request, refusal(world, request, written, commit)] as const);
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
export function checkReceivers(world: Stage, app: App): void {
  const isShown = (body: string) => body.split("\n<details>", 1)[0]!.includes(ELSEWHERE);
  const reasons = world.requests.all.map(
    (request) => [request, refusalOf(world, request, app, 0, isShown)] as const,
  );
  if (reasons.some(([, why]) => why === undefined)) return;
  const why = reasons.map(([{ iid }, one]) => `!${iid}: ${one}`).join("; ");
  world.report("receivers", `The token of the apply is sent to ${ELSEWHERE}: ${why}`);
}

/** Second law: what people approved and merged is applied in the end, by the job of the branch's head. */
export async function checkEnd(world: Stage): Promise<void> {
  for (const app of world.story.apps) {
    await world.apply(app, 0);
    if (world.violations.length > 0) return;
    if (isBlocked(world, app)) world.count("a change without approval blocks others");
    else for (const request of world.requests.all) checkApplied(world, request, app);
  }
}

/** Whether the branch has a change without approval: the job names it, and applies nothing. */
function isBlocked(world: Stage, app: App): boolean {
  const { all, repository } = world.requests;
  return repository.main.slice(1).some((commit) => {
    const request = all.find(({ merged }) => merged === commit);
    if (request === undefined) return true;
    if (request.spent.has(app)) return false;
    return openChanges(world, request, app).some((one) => refusal(world, request, one, repository.head));
  });
}

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
  const { all, repository } = world.requests;
  const { main } = repository;
  if (request.merged === undefined || request.spent.has(app)) return;
  const open = openChanges(world, request, app);
  if (open.some((one) => refusal(world, request, one, repository.head) !== undefined)) return;
  const later = all.filter(({ merged }) => merged && main.indexOf(merged) > main.indexOf(request.merged!));
  for (const { slot, before, after } of open) {
    const isChangedLater = later.some((one) => slot in repository.changesOf(one));
    if (isChangedLater || world.handmade.has(slot)) continue;
    world.count("an approved change is not applied");
    world.report("applied", `${slot}: ${before}, and !${request.iid} with ${after} is approved and merged`);
  }
}
