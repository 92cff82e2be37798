import path from "node:path";
import { type Client, createClient } from "../../api";
import { type Diagnostic, warning } from "../../diagnostics";
import { describeFileProblem, readFileSync, SMALL_FILE } from "../../files";
import { invalid } from "../arguments/option";
import type { Report } from "../document/model";
import { headline, totalsOf } from "../reports/formats/summary";
import { ciRun } from "../terminal/ci-run";
import type { Terminal } from "../terminal/terminal";

/** The GitLab instance that runs the pipeline, and its project with the merge requests and issues. */
export interface Platform {
  readonly client: Client;
  readonly project: string;
  /** The address of the platform; undefined if the environment names no address. */
  readonly address: string | undefined;
  /** The id of the user to whom the token belongs. */
  readonly user: number;
}

/** The error if Steward has no token that it may send to the platform. The message contains the reason. */
export class NoToken extends Error {
  override readonly name = "NoToken";
}

/**
 * Runs a function that works on the platform, with the token for comments. Without this token, Steward uses STEWARD_TOKEN if
 * the platform is the service that Steward manages. Steward never sends STEWARD_TOKEN to another origin.
 *
 * @throws NoToken
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
    throw new NoToken(
      "Neither STEWARD_COMMENT_TOKEN nor STEWARD_TOKEN is set. Set STEWARD_COMMENT_TOKEN to a token that can read and post on the platform.",
    );
  const [platform, service] = [env["CI_API_V4_URL"], env["STEWARD_BASE_URL"]].map((url) => url || undefined);
  if (token === undefined && originOf(platform) !== originOf(service ?? platform))
    throw new NoToken(
      "STEWARD_COMMENT_TOKEN is not set. Steward does not send STEWARD_TOKEN to the platform at CI_API_V4_URL, because that token is for another service (STEWARD_BASE_URL). Set STEWARD_COMMENT_TOKEN to a token of the platform.",
    );
  const address = platform ?? service;
  const client = createClient({
    env,
    baseUrl: address,
    ...(token !== undefined && { token }),
  });
  try {
    const { id } = await client.users.current();
    return await work({ client, project, address, user: id });
  } finally {
    await client.close();
  }
}

/** Returns the origin of an address. Any other text stays unchanged. */
export const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : url;

/** Returns the value of a variable that the platform sets in each job. @throws DiagnosticError `invalid_arguments` */
export function required(env: Terminal["env"], name: string): string {
  return (
    env[name]?.trim() ||
    invalid(
      "Not in a pipeline",
      `${name} is not set. The platform sets it in the jobs of its pipelines${name.includes("MERGE_REQUEST") ? " for merge requests" : ""}. Elsewhere, set it by hand.`,
    )
  );
}

/**
 * Returns the warning that `what` was not posted, such as a comment. A failed post is not an error, because the command ends
 * with the exit code of the reported run.
 */
export const notPosted = (what: string, problem: unknown): Diagnostic =>
  warning({
    code: "ci_not_posted",
    summary: `${what} ${what.endsWith("s") ? "were" : "was"} not posted`,
    detail: `${problem instanceof Error ? problem.message : String(problem)} This problem does not change the exit code.`,
  });

/** The time limit for the request that posts totals in a chat, in milliseconds. */
const TIMEOUT = 10_000;

/**
 * Returns the address of the chat, from the file or from STEWARD_WEBHOOK_URL; undefined if neither contains an address. The
 * address is a secret.
 *
 * @throws DiagnosticError `invalid_arguments`
 */
export function webhookUrl(file: string | undefined, { env, folder }: Terminal): URL | undefined {
  const text = (file === undefined ? env["STEWARD_WEBHOOK_URL"] : contentOf(file, folder))?.trim();
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLoopback = url !== undefined && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback)) return url;
  return invalid(
    "Invalid webhook",
    `${file ?? "STEWARD_WEBHOOK_URL"} is not an https URL. Nothing was posted. Correct the URL.`,
  );
}

function contentOf(file: string, folder: string): string {
  try {
    return readFileSync(path.resolve(folder, file), { maxBytes: SMALL_FILE }).toString("utf8");
  } catch (problem) {
    return invalid(
      "Webhook can't be read",
      `The webhook file ${file} can't be read: ${describeFileProblem(problem)}. Nothing was posted. Correct the path.`,
    );
  }
}

/** Returns the message for a chat. The message contains totals, but no values of settings. */
export function webhookPayload(report: Report, { env }: Pick<Terminal, "env">): Record<string, unknown> {
  const run = ciRun(env);
  return {
    text: [headline(report), ...(run.pipeline === undefined ? [] : [run.pipeline])].join("\n"),
    command: report.command,
    result: report.result,
    totals: totalsOf(report),
    stacks: report.stacks.length,
    ...run,
  };
}

/**
 * Posts the totals of a run in a chat. Sends no token, and follows no redirect. @throws Error with a message that does not
 * contain the address, which is a secret
 */
export async function postWebhook(url: URL, payload: Record<string, unknown>): Promise<void> {
  let status: number;
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(payload),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    await response.body?.cancel();
    status = response.status;
  } catch {
    throw new Error(
      "The webhook can't be reached. Check the URL in STEWARD_WEBHOOK_URL or in the file of --webhook-file, and the network.",
    );
  }
  if (status >= 300 && status < 400)
    throw new Error(
      `The webhook responded with status ${status}, but Steward follows no redirects. Set the final URL in STEWARD_WEBHOOK_URL or in the file of --webhook-file.`,
    );
  if (status < 200 || status > 299)
    throw new Error(
      `The webhook responded with status ${status}. Check the URL in STEWARD_WEBHOOK_URL or in the file of --webhook-file.`,
    );
}
