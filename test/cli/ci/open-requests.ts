import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openPlace, type Place, TOKENS } from "../support/place";
import { Repository } from "../support/repository";
import { COMMENT_TOKEN, TEAM } from "./team";

/** The job that plans in a merge request's pipeline. */
export const JOB = "steward-plan";

const CONFIGURATION = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  resource: { steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } } },
};

/**
 * Returns the code of a policy. Each change violates the rule of this policy, and therefore needs this number of approvals.
 */
export const policyWith = (approvals: number): string => `module.exports = [{
  name: "two-approvals", why: "Two people see each change.", approvals: ${approvals},
  checkChange: () => [{ what: "It changes a setting.", fix: "Leave it." }],
}];
`;

type Files = Readonly<Record<string, string>>;

/** An open merge request, and the checkout of its head. */
export interface OpenRequest {
  readonly iid: number;
  readonly sha: string;
  readonly checkout: string;
}

/** A repository on the embedded service. Its protected branch has a policy, and it has open merge requests. */
export class OpenRequests {
  constructor(
    readonly place: Place,
    private readonly repository: Repository,
  ) {}

  /** Returns the environment variables of the job that writes comments. This job runs on a protected branch. */
  get env() {
    return {
      STEWARD_TOKEN: "",
      STEWARD_BASE_URL: "",
      STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
      CI_API_V4_URL: `${this.place.service.url}/api/v4`,
      CI_PROJECT_ID: "2",
      CI_COMMIT_BRANCH: "main",
    };
  }

  /** Opens a merge request with these files and links. */
  async open(files: Files = {}, links: Files = {}): Promise<OpenRequest> {
    const requests = "/_steward/projects/2/merge_requests";
    const opened = { title: "Limit", source_branch: "limit", sha: "a".repeat(40) };
    const { iid } = await this.#send<{ iid: number }>("POST", requests, opened);
    const { sha, checkout } = this.repository.propose(iid, { [`note-${iid}`]: "", ...files }, links);
    await this.#send("PUT", `${requests}/${iid}`, { sha });
    return { iid, sha, checkout };
  }

  /** Pushes these files as the new head of a merge request. */
  async push({ iid }: OpenRequest, files: Files): Promise<Omit<OpenRequest, "iid">> {
    const pushed = this.repository.propose(iid, files);
    await this.#send("PUT", `/_steward/projects/2/merge_requests/${iid}`, { sha: pushed.sha });
    return pushed;
  }

  /** Writes a file into the checkout of a merge request, and does not commit the file. */
  write({ checkout }: OpenRequest, name: string, text: string): void {
    const file = path.join(checkout, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Returns the files of a merge request's plan job. */
  async planned({ sha, checkout }: OpenRequest, ...more: readonly string[]) {
    const { place } = this;
    const [report, approval] = [path.join(checkout, "plan.json"), path.join(checkout, "changes.json")];
    const ended = await place.runIn(
      path.relative(place.folder, checkout),
      [
        ...["plan", "--base", place.folder, "--lock=false"],
        ...(more.includes("--config") ? [] : ["--config", "."]),
        ...["--report", report, "--out-approval", approval, ...more],
      ],
      { STEWARD_TOKEN: TOKENS.maintainer, CI_COMMIT_SHA: sha },
    );
    expect(ended).toMatchObject({ code: 0 });
    return { "plan.json": readFileSync(report, "utf8"), "changes.json": readFileSync(approval, "utf8") };
  }

  /** Creates a pipeline on the service. The jobs of this pipeline have the given files as artifacts. */
  async leave(
    { iid, sha }: Pick<OpenRequest, "iid" | "sha">,
    artifacts: Files,
    more: {
      readonly status?: string;
      readonly job?: string;
      readonly ref?: string;
      readonly synth?: Files;
    } = {},
  ): Promise<void> {
    const { status = "success", job = JOB, ref = `refs/merge-requests/${iid}/head`, synth } = more;
    const pipelines = "/_steward/projects/2/pipelines";
    const { id } = await this.#send<{ id: number }>("POST", pipelines, { ref, sha });
    await this.#send("POST", `${pipelines}/${id}/jobs`, { name: job, status, artifacts });
    if (synth !== undefined)
      await this.#send("POST", `${pipelines}/${id}/jobs`, { name: "synth", artifacts: synth });
  }

  close({ iid }: OpenRequest): Promise<unknown> {
    return this.#send("PUT", `/_steward/projects/2/merge_requests/${iid}`, { state: "closed" });
  }

  async notesOf({ iid }: OpenRequest): Promise<string[]> {
    const place = `/api/v4/projects/2/merge_requests/${iid}/notes`;
    return (await this.#send<{ body: string }[]>("GET", place)).map(({ body }) => body);
  }

  async remove(): Promise<void> {
    this.repository.remove();
    await this.place.close();
  }

  async #send<T>(method: string, url: string, body?: object): Promise<T> {
    const response = await fetch(`${this.place.service.url}${url}`, {
      method,
      headers: { "private-token": TOKENS.developer, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as T;
  }
}

/** Opens a repository with more files. The policy of its protected branch requires two approvals. */
export async function openRequests(files: Files = {}): Promise<OpenRequests> {
  const place = await openPlace({ ...TEAM, projects: [{ path: "acme/shop" }, { path: "acme/settings" }] });
  const repository = new Repository(place.folder);
  const all = { "policy.js": policyWith(2), ...files };
  place.write("cdktf.json", { app: "node main.ts", policy: "policy.js" });
  place.write("main.tf.json", CONFIGURATION);
  for (const [name, text] of Object.entries(all)) place.write(name, text);
  repository.commit("cdktf.json", "main.tf.json", ...Object.keys(all));
  return new OpenRequests(place, repository);
}
