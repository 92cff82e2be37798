import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { listOperation } from "../calls/operation";
import { id, text, textOrNull } from "../fields";

const pipeline = z.object({ id, sha: text, ref: textOrNull, status: text, source: textOrNull });
/** A pipeline of a commit. */
export type Pipeline = z.output<typeof pipeline>;

const commit = z.object({ id: text });

/** Pipelines, and the commits that they run for. */
export const pipelines = defineArea("pipelines", "Beyond the specification", {
  /** The pipelines of a commit in a branch, newest first (https://docs.gitlab.com/api/pipelines/). */
  list: listOperation("/projects/:id/pipelines", {
    summary: "Lists the pipelines of a commit, newest first.",
    parameters: z.strictObject({ sha: z.optional(z.string()), ref: z.optional(z.string()) }),
    answer: pipeline,
  }),
  /** The commits of a branch, its head first (https://docs.gitlab.com/api/commits/). */
  commits: listOperation("/projects/:id/repository/commits", {
    summary: "Lists the commits of a branch, its head first.",
    parameters: z.strictObject({ ref_name: z.optional(z.string()) }),
    answer: commit,
    key: (record) => record.id,
  }),
});
