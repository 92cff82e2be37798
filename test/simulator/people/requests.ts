import type { Person } from "./company";
import type { GivenApproval } from "./entitled";
import type { Note, Platform } from "./platform";
import { type Commit, Repository } from "./repository";
import { type App, appOf, declaredValue, isHeld, SLOTS, type Slot, type Values } from "./settings";
import type { MergeKind, Policy } from "./story";

/** The part of a comment that people approve, in the text that the pipeline of a commit wrote. */
interface AskedText {
  readonly head: string;
  readonly text: string;
  /** True if the plan has changes that the branch does not make. */
  readonly isBehind: boolean;
  /** The live values at the time of the pipeline's plan. */
  readonly live: Readonly<Record<Slot, string>>;
  /** The policy of the target branch, by which the plan was judged. */
  readonly policy: Policy;
}

const APPROVAL = /^<!-- steward approval [0-9a-f]{64} \S+ -->$/m;

/** Returns the part of a comment that people approve: the start, up to the line with the digest. */
function approvedPart(body: string): string | undefined {
  const found = APPROVAL.exec(body);
  return found === null ? undefined : body.slice(0, found.index + found[0].length);
}

/** A merge request of the story. */
export interface Request {
  readonly iid: number;
  readonly author: Person;
  readonly branch: string;
  base: Commit;
  head: Commit;
  readonly pushers: Set<Person>;
  approvals: GivenApproval[];
  state: "opened" | "closed" | "merged";
  isDraft: boolean;
  /** The texts that people approve, by app, as the pipeline of the head commit wrote them. */
  readonly asked: Map<App, AskedText>;
  /** The commit on the default branch that contains the merged changes. Undefined before the merge. */
  merged: Commit | undefined;
  /** The apps whose jobs have applied the changes of this merge request completely. */
  readonly spent: Set<App>;
}

/** The merge requests of a story, with their commits and their records on the platform. */
export class Requests {
  readonly repository = new Repository();
  readonly all: Request[] = [];

  constructor(private readonly platform: Platform) {
    platform.push(this.repository.head.sha);
    platform.startPipeline(this.repository.head.sha);
  }

  open(by: Person, changes: Values, sameHeadAs?: number, isDraft = false): Request | undefined {
    const other = sameHeadAs === undefined ? undefined : this.all[sameHeadAs];
    const base = other?.base ?? this.repository.head;
    const head = other?.head ?? this.repository.commit(base, changes);
    const branch = `branch-${this.all.length}`;
    const iid = this.platform.open(by, head.sha, branch);
    if (iid === undefined) return undefined;
    const request: Request = {
      ...{ iid, author: by, branch, base, head, approvals: [], state: "opened", merged: undefined },
      ...{ isDraft, asked: new Map(), pushers: new Set([by]), spent: new Set() },
    };
    this.all.push(request);
    return request;
  }

  /** Keeps the text that a pipeline's comment asks people to approve. */
  keepAsked(
    request: Request,
    app: App,
    { held, live, policy }: Pick<AskedText, "live" | "policy"> & { readonly held: ReadonlyMap<Slot, string> },
  ): void {
    const text = approvedPart(this.platform.comment(request.iid, app)?.body ?? "");
    if (text === undefined) return;
    const { sha: head, values } = request.head;
    const changes = this.repository.changesOf(request);
    const isBehind = SLOTS.some(
      (slot) => appOf(slot) === app && !(slot in changes) && !isHeld(held, slot, declaredValue(values, slot)),
    );
    request.asked.set(app, { head, text, isBehind, live: { ...live }, policy });
  }

  /**
   * Returns true if a comment still begins with the text that the pipeline of the head commit wrote. Text below the
   * pipeline's text does not matter.
   */
  isAsked({ asked, head }: Request, app: App, { body }: Note): boolean {
    const wrote = asked.get(app);
    return wrote !== undefined && wrote.head === head.sha && `${body}\n`.startsWith(`${wrote.text}\n`);
  }

  /** Returns the policy by which the comment of a merge request was judged. */
  askedPolicy({ asked }: Request, app: App): Policy {
    return asked.get(app)?.policy ?? "none";
  }

  /** Pushes a commit to the branch of a merge request. A forced push replaces all commits of the branch. */
  push(request: Request, by: Person, changes: Values, isForced = false): void {
    if (request.state !== "opened") return;
    const head = this.repository.commit(isForced ? request.base : request.head, changes);
    if (!this.platform.change(by, request.iid, { sha: head.sha })) return;
    request.head = head;
    request.pushers.add(by);
  }

  approve(request: Request, by: Person, apps: readonly App[]): void {
    if (!this.platform.approve(by, request.iid, request.head.sha)) return;
    const comments = apps.map((app) => [app, this.platform.comment(request.iid, app)] as const);
    request.approvals.push({
      by,
      head: request.head.sha,
      read: Object.fromEntries(comments.map(([app, note]) => [app, note?.body])),
      written: Object.fromEntries(comments.map(([app, note]) => [app, note?.updated_at])),
    });
  }

  unapprove(request: Request, by: Person): void {
    if (!this.platform.unapprove(by, request.iid)) return;
    request.approvals = request.approvals.filter((one) => one.by !== by);
  }

  close(request: Request): void {
    if (request.state !== "opened") return;
    if (this.platform.change("mallory", request.iid, { state: "closed" })) request.state = "closed";
  }

  reopen(request: Request): void {
    if (request.state !== "closed") return;
    if (this.platform.change("mallory", request.iid, { state: "opened" })) request.state = "opened";
  }

  /** Merges as the platform does. A fast-forward is possible only if nothing else was merged since the branch began. */
  merge(request: Request, how: MergeKind, by: Person = "mallory"): void {
    if (request.state !== "opened" || request.isDraft) return;
    const { repository } = this;
    const isForward = how === "fast-forward";
    if (isForward && request.base !== repository.head) return;
    const commit = isForward
      ? request.head
      : repository.commit(repository.head, repository.changesOf(request));
    const { sha } = commit;
    const change = {
      merge: { merge_commit_sha: sha },
      squash: { squash_commit_sha: sha },
      "fast-forward": { state: "merged" },
      "into release": { merge_commit_sha: sha, target_branch: "release" },
    }[how];
    if (!this.platform.change(by, request.iid, change)) return;
    // In this kind of merge, the commit reaches the default branch later by a push.
    if (how === "into release") this.platform.push(commit.sha);
    this.platform.startPipeline(commit.sha);
    repository.main.push(commit);
    request.state = "merged";
    if (how !== "into release") request.merged = commit;
  }
}
