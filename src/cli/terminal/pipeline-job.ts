type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the pipeline job that runs this process, such as `job deploy, https://gitlab.example/acme/infra/-/jobs/7`. A lock
 * contains this text, so that people can find the job that holds the lock. Returns an empty text outside of a pipeline.
 *
 * GitLab: https://docs.gitlab.com/ci/variables/predefined_variables/; GitHub:
 * https://docs.github.com/actions/reference/workflows-and-actions/variables; Jenkins: https://www.jenkins.io/doc/book/pipeline/jenkinsfile/
 */
export function pipelineJob(env: Environment): string {
  const first = (...names: readonly string[]) => names.map((name) => env[name]?.trim()).find(Boolean);
  const name = first("CI_JOB_NAME", "GITHUB_JOB", "JOB_NAME");
  const address = first("CI_JOB_URL", "CI_PIPELINE_URL") ?? githubRun(env) ?? first("BUILD_URL");
  if (name === undefined || address === undefined) return address ?? "";
  return `job ${name}, ${address}`;
}

function githubRun(env: Environment): string | undefined {
  const [server, repository, run] = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"].map((name) =>
    env[name]?.trim(),
  );
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}
