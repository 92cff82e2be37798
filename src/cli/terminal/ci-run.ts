import { execFileSync } from "node:child_process";
import type { Terminal } from "./terminal";

/** For each fact, the environment variables that can contain the fact. The first variable that is set wins. */
const VARIABLES = {
  /** The commit that the merge request proposes, otherwise the commit for which the pipeline runs. */
  // A pipeline of merged results runs for a generated commit. The variable of the source branch comes first, because people
  // review that commit.
  commit: [
    "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
    "CI_COMMIT_SHA",
    "GITHUB_SHA",
    "GIT_COMMIT",
    "BUILD_SOURCEVERSION",
  ],
  /** The environment variables with the web pages of the pipeline and of the job. */
  pipeline: ["CI_PIPELINE_URL", "BUILD_URL"],
  job: ["CI_JOB_URL"],
} as const;

/** The facts about the run of a pipeline, from the variables that CI systems set. Unknown facts are left out. */
export type CiRun = { readonly [fact in keyof typeof VARIABLES]?: string };

export function ciRun(env: Terminal["env"]): CiRun {
  const found = Object.entries(VARIABLES).flatMap(([fact, names]) => {
    const value = names.map((name) => env[name]?.trim()).find((one) => one);
    return value === undefined ? [] : [[fact, value] as const];
  });
  return Object.fromEntries(found);
}

/** Returns the commit of a run: the commit from the CI variables, or else the commit in the working folder. */
export function commitOf({ env, folder }: Pick<Terminal, "env" | "folder">): string | undefined {
  const { commit } = ciRun(env);
  if (commit !== undefined) return commit;
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    // Without git or a repository, the commit is unknown, and an approval does not name a commit.
    return undefined;
  }
}
