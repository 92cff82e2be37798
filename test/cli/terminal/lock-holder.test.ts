import { pipelineJob } from "../../../src/cli/terminal/pipeline-job";
import { describeHolder, formatLockInfo, newLockInfo, parseLockInfo } from "../../../src/state/lock/lock";

const GITLAB = {
  CI_JOB_NAME: "apply",
  CI_JOB_URL: "https://gitlab.example/acme/infra/-/jobs/7",
  CI_PIPELINE_URL: "https://gitlab.example/acme/infra/-/pipelines/3",
};

test.each<[where: string, env: Record<string, string>, job: string]>([
  ["a job of GitLab", GITLAB, "job apply, https://gitlab.example/acme/infra/-/jobs/7"],
  [
    "a workflow of GitHub",
    {
      GITHUB_JOB: "deploy",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_REPOSITORY: "acme/infra",
      GITHUB_RUN_ID: "42",
    },
    "job deploy, https://github.example/acme/infra/actions/runs/42",
  ],
  [
    "a build of Jenkins",
    { JOB_NAME: "infra", BUILD_URL: "https://ci.example/job/infra/5/" },
    "job infra, https://ci.example/job/infra/5/",
  ],
  ["a pipeline without a job's name", { CI_PIPELINE_URL: "https://ci.example/3" }, "https://ci.example/3"],
  ["a terminal", { JOB_NAME: "mine" }, ""],
])(
  "the lock of %s names the CI job and the job's address, if the environment contains them",
  (_, env, job) => {
    expect(pipelineJob(env)).toBe(job);
    const held = parseLockInfo(
      formatLockInfo(newLockInfo({ operation: "apply", info: pipelineJob(env) }, "x.tfstate")),
      "x.lock",
    );
    expect(held.info).toBe(job);
    const named = job === "" ? /\) for "apply" since / : / in \S.*\S, for "apply" since /;
    expect(describeHolder(held)).toMatch(named);
    expect(describeHolder(held)).toContain(job);
  },
);
