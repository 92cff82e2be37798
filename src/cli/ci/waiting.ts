import type { Terminal } from "../terminal/terminal";
import { hasNoChanges, judgeRequests } from "./judged";
import type { Platform } from "./platform";
import { nameOf, readRequests } from "./requests";

/** Returns the branch of a job, or else the default branch; undefined if the environment names neither. */
export const branchIn = (env: Terminal["env"]): string | undefined =>
  env["CI_COMMIT_BRANCH"]?.trim() || env["CI_DEFAULT_BRANCH"]?.trim() || undefined;

/**
 * Lists the merge requests of the branch that are approved and merged, but not applied. If a read fails, returns a line about
 * the failure instead of throwing, because the caller has already posted its results.
 */
export async function waitingLines(
  platform: Platform,
  name: string,
  { env }: Pick<Terminal, "env">,
): Promise<string[]> {
  const branch = branchIn(env);
  if (branch === undefined) return [];
  try {
    const { unspent } = await readRequests(platform, branch, name);
    const judged = await judgeRequests(platform, unspent, { name, atLeast: 1, env });
    return judged
      .filter((one) => one.kind !== "refused" && !hasNoChanges(one))
      .map(
        ({ merged: { request } }) =>
          `${nameOf(request)} is approved and merged into ${branch}, but not applied. Run the apply job of the last commit.`,
      );
  } catch (problem) {
    return [
      `The approved merge requests of ${branch} were not read: ${problem instanceof Error ? problem.message : String(problem)}`,
    ];
  }
}
