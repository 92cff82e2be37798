import { type Client, createClient } from "../../api";
import { type Diagnostic, fail, warning } from "../../diagnostics";
import type { Terminal } from "../terminal/terminal";

/** The platform that runs the pipeline, with the project whose merge requests and issues are meant. */
export interface Platform {
  readonly client: Client;
  readonly project: string;
  /** The token's user. */
  readonly user: number;
}

/**
 * Works on the platform with the token for comments, or else that of the service.
 *
 * @throws DiagnosticError `invalid_arguments` if the environment does not name the project
 */
export async function onPlatform<T>(
  terminal: Terminal,
  work: (platform: Platform) => Promise<T>,
): Promise<T> {
  const { env } = terminal;
  const project = required(env, "CI_PROJECT_ID");
  const token = env["STEWARD_COMMENT_TOKEN"]?.trim() || undefined;
  if (token === undefined && !env["STEWARD_TOKEN"]?.trim() && !env["STEWARD_TOKEN_FILE"]?.trim())
    throw new Error("STEWARD_COMMENT_TOKEN is not set: it holds the token that posts.");
  const client = createClient({
    env,
    baseUrl: env["CI_API_V4_URL"] ?? env["STEWARD_BASE_URL"],
    ...(token !== undefined && { token }),
  });
  try {
    const { id } = await client.users.current();
    return await work({ client, project, user: id });
  } finally {
    await client.close();
  }
}

/** A variable that the platform sets in the jobs of its pipelines. @throws DiagnosticError `invalid_arguments` */
export function required(env: Terminal["env"], name: string): string {
  return (
    env[name]?.trim() ||
    fail({
      code: "invalid_arguments",
      summary: "Not in a pipeline",
      detail: `${name} is not set. The platform sets it in the jobs of its pipelines${name.includes("MERGE_REQUEST") ? " for merge requests" : ""}; set it by hand elsewhere.`,
    })
  );
}

/** Says that nothing was posted. The command keeps its exit code: what it reports on does not depend on it. */
export const notPosted = (what: string, problem: unknown): Diagnostic =>
  warning({
    code: "ci_not_posted",
    summary: `${what} ${what.endsWith("s") ? "were" : "was"} not posted`,
    detail: `${problem instanceof Error ? problem.message : String(problem)} The exit code is that of the run that was reported.`,
  });
