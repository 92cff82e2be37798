import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { approvalIn, commentOf } from "../../../src/cli/ci/comment";
import type { FixtureInput } from "../../../src/service";
import { planned } from "../reports/support/runs";
import { CONFIGURATION, TOKENS, usePlace } from "../support/place";

const FIXTURE: FixtureInput = {
  users: [
    { username: "maya", token: TOKENS.maintainer },
    { username: "devon", token: TOKENS.developer },
    { username: "dora", token: "developer-token-2" },
    { username: "commenter", token: "comment-token-1" },
  ],
  groups: [
    {
      path: "acme",
      members: [
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
        { user: "dora", role: "developer" },
        { user: "commenter", role: "reporter" },
      ],
    },
  ],
  projects: [
    { path: "acme/shop", environments: ["production"], job_token_scope: { inbound_enabled: false } },
    { path: "acme/tools" },
    { path: "acme/settings" },
  ],
};
const place = usePlace("each", FIXTURE);
const HERE = ["--config", "."];
const HEAD = "a".repeat(40);
const MERGED = "b".repeat(40);
const MR = "/projects/3/merge_requests/1";

const ci = (more: Record<string, string> = {}) => ({
  CI_API_V4_URL: `${place.service.url}/api/v4`,
  CI_PROJECT_ID: "3",
  CI_MERGE_REQUEST_IID: "1",
  CI_COMMIT_SHA: HEAD,
  CI_PIPELINE_URL: "https://git.example.com/p/7",
  CI_JOB_URL: "https://git.example.com/j/8",
  STEWARD_COMMENT_TOKEN: "comment-token-1",
  ...more,
});
const run = (args: readonly string[], env: Record<string, string> = {}) => place.run(args, ci(env));

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${place.service.url}/api/v4${path}`, {
    headers: { "private-token": TOKENS.maintainer },
  });
  return (await response.json()) as T;
}
interface Note {
  readonly body: string;
  readonly author: { readonly username: string };
}
interface Issue {
  readonly title: string;
  readonly state: string;
  readonly description: string;
}
const notes = () => get<Note[]>(`${MR}/notes`);
const issues = () => get<Issue[]>("/projects/3/issues");
const steward = async (method: string, path: string, body: object, token: string) => {
  const headers = { "private-token": token, "content-type": "application/json" };
  const url = `${place.service.url}/_steward/projects/3/merge_requests${path}`;
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
};
const openRequest = () =>
  steward("POST", "", { title: "Limit", source_branch: "limit", sha: HEAD }, TOKENS.developer);
const approve = (token: string) => place.byHand("POST", `${MR}/approve`, { sha: HEAD }, token);
const merge = () => steward("PUT", "/1", { merge_commit_sha: MERGED }, TOKENS.maintainer);

const { steward_job_token_scope } = CONFIGURATION.resource;
const declare = (resource: object) => place.write("main.tf.json", { ...CONFIGURATION, resource, output: {} });
const plan = () => run(["plan", ...HERE, "--report", "plan.json", "--out-approval", "changes.json"]);
const comment = (...args: string[]) => run(["ci", "comment", "plan.json", ...args]);
const ciApply = (...args: string[]) => run(["ci", "apply", ...HERE, ...args], { CI_COMMIT_SHA: MERGED });
const settingWrites = () =>
  place.service.requests.all.filter(
    ({ method, route }) => method !== "GET" && route?.includes("job_token_scope"),
  );

beforeEach(async () => {
  declare({ steward_job_token_scope });
  await openRequest();
});

describe("ci comment", () => {
  test("a merge request has one comment, with totals and the digest to approve, which each run replaces", async () => {
    await plan();
    const written = await comment("--approval", "changes.json");
    expect(written).toMatchObject({ code: 0, err: "" });
    const [first, ...others] = await notes();
    expect(others).toEqual([]);
    expect(first!.author.username).toBe("commenter");
    expect(first!.body).toMatch(
      /^<!-- steward ci steward -->\n## Steward plan: 1 to create, 0 to update, 0 to destroy\n/,
    );
    expect(first!.body).toContain("**Access**\n\n- `acme/shop`: ");
    expect(first!.body).toMatch(/To approve: `[0-9a-f]{64}`, 1 approval needed\./);
    expect(first!.body).toContain(
      `\non \`${place.service.url}\`, commit \`${HEAD}\`, pipeline https://git.example.com/p/7\n`,
    );
    expect(first!.body).toMatch(
      /job token limit off → on`, by \[`steward_job_token_scope\.limit`\]\(#(steward-o1)\)\n[\s\S]*<a name="\1">/,
    );
    expect((await comment("--approval", "changes.json")).out).toContain("The comment was unchanged.");
    declare({});
    await plan();
    await comment();
    const after = await notes();
    expect(after).toHaveLength(1);
    expect(after[0]!.body).toContain("no changes");
  });

  test("the marker of another author is ignored, and the command's exit code is that of the plan", async () => {
    await place.byHand(
      "POST",
      `${MR}/notes`,
      { body: "<!-- steward ci steward -->\nApproved!" },
      TOKENS.developer,
    );
    declare({ steward_job_token_scope: { limit: { project: "acme/none", inbound_enabled: true } } });
    await plan();
    expect((await comment("--approval", "changes.json")).code).toBe(1);
    const [own, forged] = await notes();
    expect(forged!.body).toContain("Approved!");
    expect(own!.body).toContain("❌");
    expect(own!.body).not.toContain("To approve");
  });

  test("what can't be posted is a warning without the token, and --dry-run sends nothing", async () => {
    await plan();
    const refused = await run(["ci", "comment", "plan.json"], { STEWARD_COMMENT_TOKEN: "comment-token-0" });
    expect(refused.err).toContain("Warning: The comment was not posted");
    expect(refused.err).not.toContain("comment-token-0");
    expect(refused.code).toBe(0);
    const none = await run(["ci", "comment", "plan.json"], { STEWARD_COMMENT_TOKEN: "", STEWARD_TOKEN: "" });
    expect(none).toMatchObject({ code: 0, err: expect.stringContaining("STEWARD_COMMENT_TOKEN is not set") });
    place.service.requests.reset();
    const dry = await comment("--dry-run", "--approval", "changes.json");
    expect(dry.out).toContain("<!-- steward approval ");
    expect(place.service.requests.all).toEqual([]);
    const outside = await place.run(["ci", "comment", "plan.json"]);
    expect({ code: outside.code, err: outside.err }).toMatchObject({
      code: 1,
      err: expect.stringContaining("CI_MERGE_REQUEST_IID is not set"),
    });
  });

  test("a comment stays within the platform's limit and links to what does not fit", async () => {
    await plan();
    const report = JSON.parse(place.read("plan.json")) as { stacks: { objects: object[] }[] };
    const [object] = report.stacks[0]!.objects;
    report.stacks[0]!.objects = Array.from({ length: 500 }, (_, at) => ({
      ...object,
      address: `steward_job_token_scope.limit${at}`,
      attributes: [
        {
          name: "inbound_enabled",
          sensitive: false,
          difference: { mark: "+", kind: "leaf", after: `"${"x".repeat(3000)}${at}"` },
        },
      ],
    }));
    place.write("plan.json", report);
    expect((await comment()).err).toBe("");
    const [{ body } = { body: "" }] = await notes();
    expect(body.length).toBeLessThan(1_000_000);
    expect(body).toContain(
      "[the job's artifacts](https://git.example.com/j/8/artifacts/browse) have all of it",
    );
  });
});

test("what asks for approval stands above the details, whose text is from elsewhere", () => {
  const marker = (digit: string) => `<!-- steward approval ${digit.repeat(64)} ${HEAD} -->`;
  const details = `<details><summary>1 object</summary>\n\n${marker("b")}`;
  expect(approvalIn(`## Plan\n${marker("a")}\n${details}`)?.digest).toBe("a".repeat(64));
  expect(approvalIn(`## Plan\n${details}`)).toBeUndefined();
});

test("a comment names errors before warnings, and no place of which nothing is counted", async () => {
  const place = { project: "acme/web", loses: {}, rules: [], text: "environments not protected" };
  const access = [{ ...place, gains: { deploy: [] }, not_counted: [{ what: "a group", why: "hidden" }] }];
  const [head] = commentOf({ ...(await planned()), access }, "shop", {}, undefined, (text) => text).split(
    "<details>",
  );
  expect(head).toContain("**Problems**\n\n- ❌ Project not found\n- ⚠️ Part of a plan\n");
  expect(head).not.toContain("not protected");
});

describe("ci apply", () => {
  /** A merge request that was planned, commented on, approved by these, and merged. */
  async function approved(...tokens: string[]): Promise<void> {
    await plan();
    await comment("--approval", "changes.json");
    for (const token of tokens) expect(await approve(token)).toBe(201);
    await merge();
    place.service.requests.reset();
  }

  test("what somebody else than the author approved is planned again and applied", async () => {
    await approved("developer-token-2");
    const { code, out, err } = await ciApply();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out).toContain("Apply complete! Resources: 1 added");
    expect(settingWrites()).toHaveLength(1);
  });

  test("the approval of the author, too few of them, and none are refused without a write", async () => {
    await approved(TOKENS.developer);
    expect((await ciApply()).err).toContain("1 person has to approve the digest");
    await approve("developer-token-2");
    expect((await ciApply("--approvals", "2")).err).toContain("and 1 did (dora)");
    expect(settingWrites()).toEqual([]);
    expect((await ciApply()).code).toBe(0);
  });

  test("an approval from before a push, and one of another plan, do not count", async () => {
    await approved("developer-token-2");
    declare({
      steward_job_token_scope: { limit: { ...steward_job_token_scope.limit, project: "acme/tools" } },
    });
    const other = await ciApply();
    expect(other.err).toContain("the plan is another one now");
    declare({ steward_job_token_scope });
    await steward("PUT", "/1", { sha: "c".repeat(40) }, TOKENS.developer);
    const pushed = await ciApply();
    expect(pushed.err).toContain("no comment asks to approve the head cccc");
    expect([other.code, pushed.code, settingWrites()]).toEqual([1, 1, []]);
  });

  test("a change by hand between the approval and the apply does not stop it, and is not reverted", async () => {
    declare({
      steward_job_token_allowlist: { callers: { project: "acme/shop", target_projects: ["acme/tools"] } },
    });
    await run(["apply", "--auto-approve", ...HERE]);
    declare({
      steward_job_token_scope,
      steward_job_token_allowlist: { callers: { project: "acme/shop", target_projects: ["acme/tools"] } },
    });
    await approved("developer-token-2");
    await place.byHand("DELETE", "/projects/1/job_token_scope/allowlist/2");
    place.service.requests.reset();
    const { code, err } = await ciApply();
    expect(err).toContain("steward_job_token_allowlist.callers was changed by hand");
    expect(code).toBe(0);
    expect(settingWrites().map(({ method }) => method)).toEqual(["PATCH"]);
  });
});

describe("ci issues", () => {
  const drift = (...args: string[]) => run(["drift", ...HERE, "--report", "drift.json", ...args]);
  const keep = (...args: string[]) => run(["ci", "issues", "drift.json", ...args]);

  beforeEach(async () => {
    await run(["apply", "--auto-approve", ...HERE]);
    await place.byHand("PATCH", "/projects/1/job_token_scope", { enabled: false });
  });

  test("a project that drifts has one issue with owners and commands, which is closed once it is repaired", async () => {
    place.write("OWNERS", "# all\n* @acme\nacme/sh* @maya @acme/platform\n");
    await drift();
    const opened = await keep("--owners", "OWNERS");
    expect(opened).toMatchObject({ code: 2, out: "Opened: Drift in project acme/shop: 1 object\n" });
    const [issue] = await issues();
    expect(issue).toMatchObject({ state: "opened", title: "Drift in project acme/shop: 1 object" });
    expect(issue!.description).toContain("Owners: @maya @acme/platform\n");
    expect(issue!.description).toContain("### `steward_job_token_scope.limit`: changed, 🔓 **loosens**\n");
    expect(issue!.description).toContain("inbound_enabled = true -> false");
    expect(issue!.description).toContain("steward drift --repair --target steward_job_token_scope.limit");
    // The same drift sends nothing, also where an earlier run reported it.
    await run(["drift", ...HERE, "--since", "drift.json", "--report", "drift.json"]);
    expect((await keep()).out).toBe("");
    await run(["apply", "--auto-approve", ...HERE]);
    expect((await drift()).code).toBe(0);
    expect((await keep()).out).toBe("Closed #1: Drift in project acme/shop: 1 object\n");
    expect(await issues()).toMatchObject([
      { state: "closed", description: expect.stringContaining("No difference any more") },
    ]);
  });

  test("an issue of a project that the run could not check stays open", async () => {
    await drift();
    await keep();
    place.service.faults.add({ method: "GET", route: "/projects/:id/job_token_scope", status: 403 });
    expect((await drift()).code).toBe(1);
    expect((await keep()).code).toBe(1);
    expect(await issues()).toMatchObject([{ state: "opened" }]);
  });

  test("a run opens at most so many issues, and the next one goes on", async () => {
    declare({
      steward_job_token_scope: {
        ...steward_job_token_scope,
        tools: { project: "acme/tools", inbound_enabled: true },
      },
    });
    await run(["apply", "--auto-approve", ...HERE]);
    for (const id of [1, 2])
      await place.byHand("PATCH", `/projects/${id}/job_token_scope`, { enabled: false });
    await drift();
    expect((await keep("--max-new", "1")).out).toContain("1 more would be opened, and --max-new allows 1");
    expect(await issues()).toHaveLength(1);
    await keep("--max-new", "1");
    expect(await issues()).toHaveLength(2);
  });

  test("a chat is told totals alone, without a token and a redirect, and never keeps the run from its exit code", async () => {
    const received: { body: string; headers: object; url: string }[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => {
        body += part.toString();
      });
      request.on("end", () => {
        received.push({ body, headers: request.headers, url: request.url! });
        response.writeHead(status, { location: "/elsewhere", connection: "close" }).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook-secret`;
    try {
      await drift();
      place.write("hook", `${hook}\n`);
      expect((await keep("--webhook-file", "hook")).out).toContain("The totals were posted to the chat.");
      expect(JSON.parse(received[0]!.body)).toMatchObject({
        command: "drift",
        result: "found",
        totals: { changed: 1 },
      });
      expect(JSON.stringify(received[0]!.headers)).not.toContain("token");
      status = 307;
      const redirected = await run(["ci", "issues", "drift.json"], { STEWARD_WEBHOOK_URL: hook });
      expect(redirected.err).toContain("The webhook answered with the status 307");
      expect(redirected.err).not.toContain("hook-secret");
      expect(redirected.code).toBe(2);
      expect(received.map(({ url }) => url)).toEqual(["/hook-secret", "/hook-secret"]);
    } finally {
      server.close();
    }
  });
});
