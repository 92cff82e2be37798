import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint, RawJson } from "../endpoint/endpoint";
import { found } from "../http/errors";
import { id } from "../http/parameters";
import { fullPathOf, type Project } from "../model/projects";
import { type Database, insert, now } from "../store/database";
import { loadInOrder, where } from "../store/selection";
import { PIPELINE_STATUS } from "./pipelines";

const job = z
  .object({
    id: z.int(),
    name: z.string(),
    stage: z.string(),
    status: PIPELINE_STATUS,
    created_at: z.iso.datetime(),
    web_url: z.string(),
    pipeline: z.object({ id: z.int(), project_id: z.int(), sha: z.string(), ref: z.string() }),
    artifacts: z.array(z.object({ filename: z.string(), size: z.int() })),
  })
  .meta({ id: "Job" });

type JobRow = Pick<z.output<typeof job>, "id" | "name" | "stage" | "status" | "created_at"> & {
  readonly pipeline_id: number;
};

interface Viewer {
  readonly database: Database;
  readonly origin: string;
  readonly target: Project;
}

/** Returns the artifacts of a job as the platform lists them: one archive with all files. */
const artifactsOf = (database: Database, jobId: number) =>
  database.all<{ readonly filename: string; readonly size: number }>(
    "SELECT 'artifacts.zip' AS filename, sum(length(content)) AS size FROM job_artifacts WHERE job_id = ? HAVING count(*) > 0",
    jobId,
  );

const jobLoader = ({ database, origin, target }: Viewer) =>
  loadInOrder(database, "SELECT * FROM jobs", "id", ({ pipeline_id, ...row }: JobRow) => ({
    ...row,
    web_url: `${origin}/${fullPathOf(target)}/-/jobs/${row.id}`,
    pipeline: database.one<z.output<typeof job>["pipeline"]>(
      "SELECT id, project_id, sha, ref FROM pipelines WHERE id = ?",
      pipeline_id,
    )!,
    artifacts: artifactsOf(database, row.id),
  }));

type PipelineCall = Pick<Call<Project, { readonly pipeline_id: number }>, "database" | "target" | "input">;

/**
 * Returns the id of the pipeline that the path of a request names.
 *
 * @throws HttpError 404
 */
const namedPipeline = ({ database, target, input }: PipelineCall): number =>
  found(
    database.one<{ readonly id: number }>(
      "SELECT id FROM pipelines WHERE project_id = ? AND id = ?",
      target.id,
      input.pipeline_id,
    ),
    "Pipeline",
  ).id;

/**
 * Jobs of pipelines and their artifacts, as https://docs.gitlab.com/api/jobs/ and
 * https://docs.gitlab.com/api/job_artifacts/ describe them. The service runs no jobs. In a test, the runner sends the
 * result of a job to an endpoint below `/_steward`.
 */
export const jobEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  endpoint({
    route: "POST /_steward/projects/:id/pipelines/:pipeline_id/jobs",
    summary: "Record a job of a pipeline, with the texts of its artifacts by their paths",
    access: ofProject(LEVEL.developer),
    input: {
      pipeline_id: id(),
      name: z.string().min(1),
      stage: z.string().min(1).default("test"),
      status: PIPELINE_STATUS.default("success"),
      artifacts: z.record(z.string().min(1), z.string()).default({}),
    },
    answer: job,
    handle: (call) => {
      const { database, input } = call;
      const { name, stage, status, artifacts } = input;
      const pipeline_id = namedPipeline(call);
      const jobId = insert(database, "jobs", { pipeline_id, name, stage, status, created_at: now() });
      for (const [path, content] of Object.entries(artifacts))
        database.run(
          "INSERT INTO job_artifacts (job_id, path, content) VALUES (?, ?, ?)",
          jobId,
          path,
          content,
        );
      return jobLoader(call)([jobId])[0]!;
    },
  }),
  listEndpoint({
    route: "GET /projects/:id/pipelines/:pipeline_id/jobs",
    summary: "The jobs of a pipeline, the last one first",
    access: ofProject(LEVEL.none),
    input: { pipeline_id: id() },
    entry: job,
    handle: (call) => ({
      key: "j.id",
      from: "jobs j",
      where: [where("j.pipeline_id = ?", namedPipeline(call))],
      isDescending: true,
      load: jobLoader(call),
    }),
  }),
  endpoint({
    route: "GET /projects/:id/jobs/:job_id/artifacts/:artifact_path",
    summary: "One file of the artifacts of a job, as the job left it",
    access: ofProject(LEVEL.none),
    input: { job_id: id(), artifact_path: z.string().min(1) },
    answer: z.unknown().meta({ id: "Artifact" }),
    handle: ({ database, target, input }) => {
      const sql =
        "SELECT a.content FROM job_artifacts a JOIN jobs j ON j.id = a.job_id JOIN pipelines p ON p.id = j.pipeline_id WHERE p.project_id = ? AND j.id = ? AND a.path = ?";
      const file = database.one<{ readonly content: string }>(
        sql,
        target.id,
        input.job_id,
        input.artifact_path,
      );
      return new RawJson(found(file, "Artifact").content);
    },
  }),
]);
