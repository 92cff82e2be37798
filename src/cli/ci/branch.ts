import type { MergeRequest } from "../../api";
import type { Platform } from "./platform";

/** The maximum number of commits that Steward searches for the commit of a merge request. */
export const MAX_COMMITS = 1_000;

/** The commits of a branch, beginning with the head. Steward reads only as many commits from the platform as it needs. */
export class BranchCommits {
  readonly #positions = new Map<string, number>();
  readonly #unread: AsyncIterator<{ readonly id: string }>;

  constructor({ client, project }: Platform, branch: string) {
    this.#unread = client.pipelines.commits(project, { ref_name: branch })[Symbol.asyncIterator]();
  }

  /** Returns the head of the branch; undefined if the platform has no such branch. @throws ApiError */
  async head(): Promise<string | undefined> {
    if (this.#positions.size === 0) await this.#read();
    const [head] = this.#positions.keys();
    return head;
  }

  /**
   * Returns the number of commits after the given commit; undefined if the last `MAX_COMMITS` commits of the branch do not
   * contain it. @throws ApiError
   */
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

/**
 * Returns the commits that may have brought a merge request into its target branch: the merge, the squash, or the head. After
 * a fast-forward, there is only the head.
 */
export function commitsOf({
  merge_commit_sha: merge,
  squash_commit_sha: squash,
  sha,
}: MergeRequest): string[] {
  const own = [merge, squash].filter((commit) => commit !== null);
  return own.length > 0 ? own : [sha];
}

/** The statuses of pipelines that succeeded, or that can still succeed. https://docs.gitlab.com/api/pipelines/ */
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
 * Returns the reason why no pipeline applies the changes of a commit; undefined if a pipeline that applies them runs or has
 * succeeded. A commit with `[skip ci]` has no pipeline or a skipped one. Ignores scheduled pipelines, because scheduled
 * pipelines only look for drift.
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
