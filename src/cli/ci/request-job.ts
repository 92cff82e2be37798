import { ApiError, type Job, type MergeRequest, type Pipeline } from "../../api";
import type { Platform } from "./platform";

/** The error if Steward can't show the plan of a merge request in its comment. The message contains the reason. */
export class UnusablePlan extends Error {
  override readonly name = "UnusablePlan";
}

/** A job of the newest pipeline of a merge request. */
interface RequestJob {
  readonly job: Job;
  /** Reads one file of the job's artifacts. */
  read(name: string): Promise<Buffer>;
}

/**
 * The maximum number of bytes of one file of a job. A comment can have a million characters, so people would see only a small
 * part of a longer file.
 */
const MAX_BYTES = 16 * 1024 * 1024;

/** The statuses of jobs that have not run to the end and have no artifacts (https://docs.gitlab.com/api/jobs/). */
const WITHOUT_FILES: ReadonlySet<string> = new Set([
  "created",
  "waiting_for_resource",
  "preparing",
  "pending",
  "running",
  "canceling",
  "canceled",
  "skipped",
  "manual",
  "scheduled",
]);

/**
 * Finds a job in the newest pipeline of the head of a merge request. The author of the request controls that pipeline, so callers
 * must not trust its files.
 *
 * @returns the job, or a text with the reason if the job has not ended or no pipeline ran
 * @throws UnusablePlan if the pipeline has no such job
 * @throws ApiError
 */
export async function jobOfRequest(
  platform: Platform,
  request: MergeRequest,
  name: string,
): Promise<RequestJob | string> {
  const pipeline = await newestPipeline(platform, request);
  if (pipeline === undefined) return `no pipeline has run for ${request.sha}`;
  const project = pipeline.project_id ?? platform.project;
  const job = await jobOf(platform, project, pipeline, name);
  if (job === undefined) throw new UnusablePlan(`its newest pipeline has no job ${name}`);
  if (WITHOUT_FILES.has(job.status)) return `the job ${name} of its newest pipeline is ${job.status}`;
  return { job, read: (file) => fileOf(platform, project, job, file) };
}

/** Returns the result of reading a file of a job; undefined if the job has no such file. */
export const orMissing = (reading: Promise<Buffer>): Promise<Buffer | undefined> =>
  reading.catch((problem: unknown) => {
    if (problem instanceof ApiError && problem.status === 404) return undefined;
    throw problem;
  });

/**
 * Returns the newest pipeline for the head of a merge request. A pipeline of merged results counts too: it runs for a commit that
 * the platform creates from the head.
 */
async function newestPipeline(
  { client, project }: Platform,
  { iid, sha }: MergeRequest,
): Promise<Pipeline | undefined> {
  let newest: Pipeline | undefined;
  for await (const pipeline of client.pipelines.ofMergeRequest(project, iid)) {
    const isOfHead = pipeline.sha === sha || pipeline.ref === `refs/merge-requests/${iid}/merge`;
    if (isOfHead && (newest === undefined || pipeline.id > newest.id)) newest = pipeline;
  }
  return newest;
}

async function jobOf(
  { client }: Platform,
  project: string | number,
  { id }: Pipeline,
  name: string,
): Promise<Job | undefined> {
  let newest: Job | undefined;
  for await (const job of client.pipelines.jobs(project, id))
    if (job.name === name && (newest === undefined || job.id > newest.id)) newest = job;
  return newest;
}

async function fileOf(
  { client }: Platform,
  project: string | number,
  { id, name: job }: Job,
  name: string,
): Promise<Buffer> {
  const bytes = await client.pipelines.artifact(project, id, name);
  if (bytes.byteLength > MAX_BYTES)
    throw new UnusablePlan(`${name} of the job ${job} has ${bytes.byteLength} bytes, more than ${MAX_BYTES}`);
  return Buffer.from(bytes);
}
