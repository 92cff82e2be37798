import { openPlace, type Place, TOKENS } from "../support/place";
import { COMMENT_TOKEN } from "./team";

// A policy can require several approvals. The tests check that only changes that violate the policy need this number of
// approvals. They also check this for one plan with the changes of several merge requests.

const [LIMIT_HEAD, LIST_HEAD] = ["a".repeat(40), "c".repeat(40)];
const [FIRST, LAST] = ["b".repeat(40), "d".repeat(40)];
const STEWARD = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };
const LIMIT = { steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } } };
const LIST = { steward_job_token_allowlist: { callers: { project: "acme/shop", target_projects: ["2"] } } };
const POLICY = `module.exports = [{
  name: "limits need two", why: "Two people see each limit.", approvals: 2, types: ["steward_job_token_scope"],
  checkChange: () => [{ what: "It changes a limit.", fix: "Leave it." }],
}];
`;

describe("approvals that single changes need", () => {
  let place: Place;
  let policy: string;
  beforeEach(async () => {
    place = await openPlace({
      users: [
        { username: "maya", token: TOKENS.maintainer },
        { username: "oskar", token: "oskar-token" },
        { username: "devon", token: TOKENS.developer },
        { username: "commenter", token: COMMENT_TOKEN },
      ],
      groups: [
        {
          path: "acme",
          members: [
            { user: "maya", role: "maintainer" },
            { user: "oskar", role: "maintainer" },
            { user: "devon", role: "developer" },
            { user: "commenter", role: "reporter" },
          ],
        },
      ],
      projects: [
        { path: "acme/shop", job_token_scope: { inbound_enabled: false } },
        { path: "acme/settings" },
      ],
    });
    place.write("policy.js", POLICY);
    policy = "policy.js";
  });
  afterEach(() => place.close());

  const env = (commit: string) => ({
    STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
    CI_API_V4_URL: `${place.service.url}/api/v4`,
    CI_PROJECT_ID: "2",
    CI_COMMIT_BRANCH: "main",
    CI_COMMIT_SHA: commit,
  });
  const send = async (method: string, url: string, token: string, body: object) => {
    const response = await fetch(`${place.service.url}${url}`, {
      method,
      headers: { "private-token": token, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as { readonly iid: number };
  };
  async function planned(resource: object, file: string, commit: string): Promise<object> {
    place.write("main.tf.json", { terraform: STEWARD, resource });
    const words = ["plan", "--config", ".", "--policy", policy, "--lock=false", "--access"];
    const ended = await place.run([...words, "--out-approval", file, "--report", "plan.json"], env(commit));
    expect(ended).toMatchObject({ code: 0 });
    return JSON.parse(place.read(file)) as object;
  }

  /**
   * Opens a merge request, writes the comment of the request, approves the request as these people, and merges the request.
   * @returns the text of the comment
   */
  async function merged(
    resource: object,
    head: string,
    commit: string,
    approvers: readonly string[],
  ): Promise<string> {
    const { iid } = await send("POST", "/_steward/projects/2/merge_requests", TOKENS.developer, {
      title: "Settings",
      source_branch: `branch-${head[0]}`,
      sha: head,
    });
    await planned(resource, "changes.json", head);
    const mine = { ...env(head), CI_MERGE_REQUEST_IID: String(iid) };
    const posted = await place.run(["ci", "comment", "plan.json", "--approval", "changes.json"], mine);
    expect(posted).toMatchObject({ code: 0, err: "" });
    for (const token of approvers)
      await send("POST", `/api/v4/projects/2/merge_requests/${iid}/approve`, token, { sha: head });
    await place.byHand("PUT", `/_steward/projects/2/merge_requests/${iid}`, { merge_commit_sha: commit });
    const response = await fetch(`${place.service.url}/api/v4/projects/2/merge_requests/${iid}/notes`, {
      headers: { "private-token": COMMENT_TOKEN },
    });
    const [comment] = (await response.json()) as readonly { readonly body: string }[];
    return comment!.body;
  }

  const applied = () => place.run(["ci", "apply", "--config", ".", "--judged", "judged.json"], env(LAST));

  test("if a change needs two approvals, a merge request that does not contain this change needs one approval", async () => {
    const comment = await merged(LIMIT, LIMIT_HEAD, FIRST, [TOKENS.maintainer, "oskar-token"]);
    expect(comment).toContain("2 approvals needed.");
    expect(comment).toMatch(/`steward_job_token_scope\.limit`: update|create.*\n {2}- needs 2 approvals/);
    const other = await merged(LIST, LIST_HEAD, LAST, [TOKENS.maintainer]);
    expect(other).toContain("1 approval needed.");
    expect(other).not.toContain("- needs");
    const judged = await planned({ ...LIMIT, ...LIST }, "judged.json", LAST);
    expect(judged).toMatchObject({
      approvals: 2,
      needed_by_all: { approvals: 1 },
      changes: [
        { type: "steward_job_token_allowlist" },
        { type: "steward_job_token_scope", needs: { approvals: 2 } },
      ],
    });
    const ended = await applied();
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("Resources: 2 added") });
  });

  test("if a change needs two approvals and one person approved it, ci apply fails", async () => {
    await merged(LIMIT, LIMIT_HEAD, FIRST, [TOKENS.maintainer]);
    await merged(LIST, LIST_HEAD, LAST, [TOKENS.maintainer]);
    await planned({ ...LIMIT, ...LIST }, "judged.json", LAST);
    expect(await applied()).toMatchObject({
      code: 1,
      err: expect.stringContaining("2 approvals are needed"),
    });
  });

  test("if the policy now requires more approvals than the comment asked for, ci apply fails", async () => {
    policy = "earlier.js";
    place.write(policy, POLICY.replace("approvals: 2", "approvals: 1"));
    await merged(LIMIT, LIMIT_HEAD, FIRST, [TOKENS.maintainer]);
    policy = "policy.js";
    await merged(LIST, LIST_HEAD, LAST, [TOKENS.maintainer]);
    await planned({ ...LIMIT, ...LIST }, "judged.json", LAST);
    const ended = await applied();
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringContaining("Policies require other approvals"),
    });
  });
});
