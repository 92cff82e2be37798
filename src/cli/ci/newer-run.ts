import type { Terminal } from "../terminal/terminal";
import type { Platform } from "./platform";
import { branchIn } from "./waiting";

/** The statuses of jobs that ran to the end. https://docs.gitlab.com/api/jobs/ */
const ENDED: ReadonlySet<string> = new Set(["success", "failed"]);

/**
 * The maximum number of newer pipelines that Steward searches. If there are more pipelines, Steward assumes that this job has
 * run in one of them.
 */
const MOST = 100;

/**
 * Finds a newer pipeline of the branch in which the same job has already run. If there is a newer pipeline, this job was
 * retried or delayed, and the report of this job is out of date.
 *
 * @returns the number of the pipeline; undefined if there is none, and outside of a pipeline
 * @throws ApiError
 */
export async function newerRun(
  { client, project }: Platform,
  env: Terminal["env"],
): Promise<number | undefined> {
  const [own, name, branch] = [Number(env["CI_PIPELINE_ID"] || 0), env["CI_JOB_NAME"], branchIn(env)];
  if (own === 0 || !name || branch === undefined) return undefined;
  let left = MOST;
  // The platform lists the newest pipeline first, so the loop ends at the pipeline of this job.
  for await (const { id } of client.pipelines.list(project, { ref: branch })) {
    if (id <= own) return undefined;
    if (left-- === 0) return id;
    for await (const job of client.pipelines.jobs(project, id))
      if (job.name === name && ENDED.has(job.status)) return id;
  }
  return undefined;
}
