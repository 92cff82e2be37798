import type { MergeRequest } from "../../api";
import type { Platform } from "./platform";

/** The maximum number of commits to search for the commit of a merge request. */
const MAX_COMMITS = 1_000;

/** The commits of a branch, its head first. Only requested commits are read. */
export class BranchCommits {
  readonly #positions = new Map<string, number>();
  readonly #unread: AsyncIterator<{ readonly id: string }>;

  constructor({ client, project }: Platform, branch: string) {
    this.#unread = client.pipelines.commits(project, { ref_name: branch })[Symbol.asyncIterator]();
  }

  /** The head of the branch; undefined if the platform knows no such branch. @throws ApiError */
  async head(): Promise<string | undefined> {
    if (this.#positions.size === 0) await this.#read();
    const [head] = this.#positions.keys();
    return head;
  }

  /** The number of commits after this one; undefined if it is not among the last commits of the branch. @throws ApiError */
  async positionOf(commit: string): Promise<number | undefined> {
    while (!this.#positions.has(commit)) if (!(await this.#read())) return undefined;
    return this.#positions.get(commit);
  }

  async #read(): Promise<boolean> {
    if (this.#positions.size >= MAX_COMMITS) return false;
    const { done, value } = await this.#unread.next();
    if (done === true) return false;
    this.#positions.set(value.id, this.#positions.size);
    return true;
  }
}

/** Returns the commits by which a merge request may have entered its branch. A fast-forward has only the head. */
export function commitsOf({
  merge_commit_sha: merge,
  squash_commit_sha: squash,
  sha,
}: MergeRequest): string[] {
  const own = [merge, squash].filter((commit) => commit !== null);
  return own.length > 0 ? own : [sha];
}

/** The statuses of pipelines that may still run, or that succeeded. https://docs.gitlab.com/api/pipelines/ */
const GOOD_STATUSES: ReadonlySet<string> = new Set([
  "created",
  "waiting_for_resource",
  "waiting_for_callback",
  "preparing",
  "pending",
  "running",
  "manual",
  "scheduled",
  "success",
]);

/**
 * Returns why no pipeline of a commit applies anything; undefined if one runs or has run. A commit with `[skip ci]` has no
 * pipeline or a skipped one. Scheduled pipelines look for drift.
 *
 * @throws ApiError
 */
export async function pipelineProblem(
  { client, project }: Platform,
  branch: string,
  commit: string,
): Promise<string | undefined> {
  for await (const { source, status, id } of client.pipelines.list(project, { sha: commit, ref: branch })) {
    if (source === "schedule") continue;
    return GOOD_STATUSES.has(status) ? undefined : `Pipeline ${id} of that commit has the status ${status}.`;
  }
  return "That commit has no pipeline.";
}
