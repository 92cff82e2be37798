import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { found } from "../http/errors";
import { id } from "../http/parameters";
import { type Database, insert, now, update } from "../store/database";
import { loadInOrder, where, whereGiven } from "../store/selection";
import { iid, named, PATH } from "./merge-requests";

const sha = () => z.string().regex(/^[0-9a-f]{7,64}$/);

/** The statuses of pipelines and jobs. */
export const PIPELINE_STATUS = z.enum([
  "created",
  "waiting_for_resource",
  "preparing",
  "pending",
  "running",
  "success",
  "failed",
  "canceling",
  "canceled",
  "skipped",
  "manual",
  "scheduled",
]);

const pipeline = z
  .object({
    id: z.int(),
    project_id: z.int(),
    ref: z.string(),
    sha: z.string(),
    status: PIPELINE_STATUS,
    source: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Pipeline" });

const pipelineLoader = (database: Database) =>
  loadInOrder<z.output<typeof pipeline>>(database, "SELECT * FROM pipelines", "id");

const commit = z.object({ id: z.string(), created_at: z.iso.datetime() }).meta({ id: "Commit" });

/**
 * The SQL condition for the pushes (`p`) to a branch since the branch was last created. Each push has one commit, because the
 * service has no repository.
 */
const SINCE_CREATION =
  "p.id >= coalesce((SELECT max(c.id) FROM pushes c WHERE c.project_id = p.project_id AND c.ref = p.ref AND c.action = 'created'), 0)";

/**
 * Pipelines and the commits of a branch, as https://docs.gitlab.com/api/pipelines/ and
 * https://docs.gitlab.com/api/commits/ describe them. A pipeline of a merge request has a ref such as
 * `refs/merge-requests/7/head`. A commit with `[skip ci]` has no pipeline, or a pipeline with the status `skipped`.
 */
export const pipelineEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  endpoint({
    route: "POST /_steward/projects/:id/pipelines",
    summary: "Start a pipeline of a commit",
    access: ofProject(LEVEL.developer),
    input: {
      ref: z.string().min(1),
      sha: sha(),
      status: PIPELINE_STATUS.default("created"),
      source: z.string().min(1).default("push"),
    },
    answer: pipeline,
    handle: ({ database, target, input }) => {
      const at = now();
      const started = { project_id: target.id, ...input, created_at: at, updated_at: at };
      return pipelineLoader(database)([insert(database, "pipelines", started)])[0]!;
    },
  }),
  endpoint({
    route: "PUT /_steward/projects/:id/pipelines/:pipeline_id",
    summary: "Set the status of a pipeline",
    access: ofProject(LEVEL.developer),
    input: { pipeline_id: id(), status: PIPELINE_STATUS },
    answer: pipeline,
    handle: ({ database, target, input }) => {
      const sql = "SELECT id FROM pipelines WHERE project_id = ? AND id = ?";
      const known = found(database.one<{ id: number }>(sql, target.id, input.pipeline_id), "Pipeline");
      update(database, "pipelines", known.id, { status: input.status, updated_at: now() });
      return pipelineLoader(database)([known.id])[0]!;
    },
  }),
  listEndpoint({
    route: "GET /projects/:id/pipelines",
    summary: "The pipelines of a project, the last one first",
    access: ofProject(LEVEL.none),
    input: { sha: sha().optional(), ref: z.string().optional() },
    entry: pipeline,
    handle: ({ database, target, input }) => ({
      key: "p.id",
      from: "pipelines p",
      where: [
        where("p.project_id = ?", target.id),
        ...whereGiven(input.sha, (one) => where("p.sha = ?", one)),
        ...whereGiven(input.ref, (ref) => where("p.ref = ?", ref)),
      ],
      isDescending: true,
      load: pipelineLoader(database),
    }),
  }),
  listEndpoint({
    route: `GET ${PATH}/pipelines`,
    summary: "The pipelines of the heads of a merge request, the last one first",
    access: ofProject(LEVEL.none),
    input: iid,
    entry: pipeline,
    handle: (call) => {
      const { id, iid, project_id, source_branch } = named(call);
      const own = ["head", "merge"].map((name) => `refs/merge-requests/${iid}/${name}`);
      return {
        key: "p.id",
        from: "pipelines p",
        where: [
          where("p.project_id = ?", project_id),
          where(
            "p.ref IN (?, ?) OR (p.ref = ? AND p.sha IN (SELECT sha FROM merge_request_versions WHERE merge_request_id = ?))",
            own[0]!,
            own[1]!,
            source_branch,
            id,
          ),
        ],
        isDescending: true,
        load: pipelineLoader(call.database),
      };
    },
  }),
  listEndpoint({
    route: "GET /projects/:id/repository/commits",
    summary: "The commits of a branch, its head first",
    access: ofProject(LEVEL.none),
    input: { ref_name: z.string().min(1).default("main") },
    entry: commit,
    handle: ({ database, target, input }) => ({
      key: "p.id",
      from: "pushes p",
      where: [
        where("p.project_id = ?", target.id),
        where("p.ref = ?", input.ref_name),
        where("p.sha IS NOT NULL"),
        where(SINCE_CREATION),
      ],
      isDescending: true,
      load: loadInOrder(
        database,
        "SELECT p.id, p.sha, p.created_at FROM pushes p",
        "p.id",
        ({ sha, created_at }: { readonly sha: string; readonly created_at: string }) => ({
          id: sha,
          created_at,
        }),
      ),
    }),
  }),
]);
