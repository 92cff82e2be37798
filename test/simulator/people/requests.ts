import type { Person } from "./company";
import type { GivenApproval } from "./entitled";
import type { Platform } from "./platform";
import { type Commit, Repository } from "./repository";
import { APPS, type App, type Values } from "./settings";
import type { MergeKind } from "./story";

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
  /** The commit that it was merged as into the default branch, once it was. */
  merged: Commit | undefined;
  /** The apps for which a job has applied it to the end. */
  readonly spent: Set<App>;
}

/** The merge requests of a story, in the repository and on the platform. */
export class Requests {
  readonly repository = new Repository();
  readonly all: Request[] = [];

  constructor(private readonly platform: Platform) {
    platform.push(this.repository.head.sha);
    platform.startPipeline(this.repository.head.sha);
  }

  open(by: Person, changes: Values, sameHeadAs: number | undefined): void {
    const other = sameHeadAs === undefined ? undefined : this.all[sameHeadAs];
    const base = other?.base ?? this.repository.head;
    const head = other?.head ?? this.repository.commit(base, changes);
    const branch = `branch-${this.all.length}`;
    const iid = this.platform.open(by, head.sha, branch);
    if (iid === undefined) return;
    this.all.push({
      ...{ iid, author: by, branch, base, head, approvals: [], state: "opened", merged: undefined },
      ...{ pushers: new Set([by]), spent: new Set() },
    });
  }

  push(request: Request, by: Person, changes: Values): void {
    if (request.state !== "opened") return;
    const head = this.repository.commit(request.head, changes);
    if (!this.platform.change(by, request.iid, { sha: head.sha })) return;
    request.head = head;
    request.pushers.add(by);
  }

  approve(request: Request, by: Person): void {
    if (!this.platform.approve(by, request.iid, request.head.sha)) return;
    const comments = APPS.map((app) => [app, this.platform.comment(request.iid, app)] as const);
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

  /** Merges as the platform does; a fast-forward only where nothing else was merged since. */
  merge(request: Request, how: MergeKind): void {
    if (request.state !== "opened") return;
    const { repository } = this;
    const isForward = how === "fast-forward";
    if (isForward && request.base !== repository.head) return;
    const commit = isForward
      ? request.head
      : repository.commit(repository.head, repository.changesOf(request));
    const as = { merge: "merge_commit_sha", squash: "squash_commit_sha" } as const;
    const ofRelease = { merge_commit_sha: commit.sha, target_branch: "release" };
    const forward = { state: "merged" };
    const change = isForward ? forward : how === "into release" ? ofRelease : { [as[how]]: commit.sha };
    if (!this.platform.change("mallory", request.iid, change)) return;
    // The commit of the release branch is then pushed to the default branch.
    if (how === "into release") this.platform.push(commit.sha);
    this.platform.startPipeline(commit.sha);
    repository.main.push(commit);
    request.state = "merged";
    if (how !== "into release") request.merged = commit;
  }
}
