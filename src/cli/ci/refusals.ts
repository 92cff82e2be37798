import { ApiError } from "../../api";
import { fail } from "../../diagnostics";
import { BranchCommits, MAX_COMMITS } from "./branch";
import type { Platform } from "./platform";

/** The maximum number of lines in the message of a refusal. */
export const MAX_LINES = 20;

/**
 * Refuses the apply of a job.
 *
 * @param advice a sentence that says how to get the changes applied
 * @param lines the approvals that do not count, each with its reason
 */
export const refuse = (why: string, advice?: string, lines: readonly string[] = []): never =>
  fail({
    code: "approvals_missing",
    summary: "Not approved",
    detail: [[why, "Nothing was sent.", ...(advice === undefined ? [] : [advice])].join(" "), ...lines],
  });

/** Runs a function that reads approvals or memberships. If the read fails, refuses the apply. */
export async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (problem) {
    return refuseUnread(problem);
  }
}

/** Throws the diagnostic for an error response of the platform. Throws any other problem unchanged. */
export function refuseUnread(problem: unknown): never {
  if (problem instanceof ApiError)
    fail({ code: problem.code, summary: problem.summary, detail: `${problem.message} Nothing was sent.` });
  throw problem;
}

/**
 * Returns a warning if the branch does not contain the job's commit, for example after a force-push. Returns undefined if the
 * branch contains the commit.
 */
export async function notOnBranch(
  platform: Platform,
  branch: string,
  commit: string,
): Promise<string | undefined> {
  const commits = new BranchCommits(platform, branch);
  if ((await reading(() => commits.positionOf(commit))) !== undefined) return undefined;
  return `Warning: the last ${MAX_COMMITS} commits of ${branch} do not contain the commit ${commit} (CI_COMMIT_SHA). Correct CI_COMMIT_SHA, except after a force-push of ${branch}.`;
}
