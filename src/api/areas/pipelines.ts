import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { bytes, listOperation, operation } from "../calls/operation";
import { id, idOrNull, text, textOrNull } from "../fields";

const pipeline = z.object({
  id,
  project_id: idOrNull,
  sha: text,
  ref: textOrNull,
  status: text,
  source: textOrNull,
});
/** A pipeline of a commit. */
export type Pipeline = z.output<typeof pipeline>;

const commit = z.object({ id: text });

const job = z.object({ id, name: text, status: text, web_url: textOrNull });
/** A job of a pipeline. */
export type Job = z.output<typeof job>;

/** Pipelines, their jobs and artifacts, and the commits of a branch. */
export const pipelines = defineArea("pipelines", "Beyond the specification", {
  /** Lists the pipelines of a commit in a branch, newest first (https://docs.gitlab.com/api/pipelines/). */
  list: listOperation("/projects/:id/pipelines", {
    summary: "Lists the pipelines of a commit, newest first.",
    parameters: z.strictObject({ sha: z.optional(z.string()), ref: z.optional(z.string()) }),
    answer: pipeline,
  }),
  /** Lists the pipelines of a merge request, newest first (https://docs.gitlab.com/api/merge_requests/). */
  ofMergeRequest: listOperation("/projects/:id/merge_requests/:iid/pipelines", {
    summary: "Lists the pipelines of a merge request, newest first.",
    answer: pipeline,
  }),
  /**
   * Lists the jobs of a pipeline, without the earlier attempts of retried jobs (https://docs.gitlab.com/api/jobs/).
   */
  jobs: listOperation("/projects/:id/pipelines/:pipeline/jobs", {
    summary: "Lists the jobs of a pipeline.",
    answer: job,
  }),
  /**
   * Reads one file from the artifacts of a job (https://docs.gitlab.com/api/job_artifacts/), byte for byte. Users who
   * may edit the pipeline can change the content of an artifact's file.
   */
  artifact: operation("GET /projects/:id/jobs/:job/artifacts/:file", {
    summary: "Reads one file of the artifacts of a job.",
    answer: bytes,
    isRaw: true,
  }),
  /** Lists the commits of a branch, newest first (https://docs.gitlab.com/api/commits/). */
  commits: listOperation("/projects/:id/repository/commits", {
    summary: "Lists the commits of a branch, its head first.",
    parameters: z.strictObject({ ref_name: z.optional(z.string()) }),
    answer: commit,
    key: (record) => record.id,
  }),
});
