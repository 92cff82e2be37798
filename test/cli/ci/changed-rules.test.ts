import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openPlace, type Place, TOKENS } from "../support/place";
import { COMMENT_TOKEN } from "./team";

const HEAD = "a".repeat(40);
const MERGED = "b".repeat(40);
/** The last commit of the branch. */
const LAST = "f".repeat(40);
const PLANNED = ["--config", "cdktf.out", "--lock=false", "--access"];

const CONFIGURATION = {
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  resource: { steward_job_token_scope: { limit: { project: "acme/shop", inbound_enabled: true } } },
};
const policyWith = (approvals: number) => `module.exports = [{
  name: "two-approvals", why: "Two people see each change.", approvals: ${approvals},
  checkChange: (change) => require("./policies/helper.js")(change),
}];
`;
const HELPER = `module.exports = () => [{ what: "It changes a setting.", fix: "Leave it." }];\n`;

describe("a merge request that changes rules", () => {
  let place: Place;
  beforeAll(async () => {
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
      projects: [{ path: "acme/shop" }, { path: "acme/settings" }],
    });
    write("cdktf.out/main.tf.json", JSON.stringify(CONFIGURATION));
  });
  afterAll(() => place.close());

  const write = (name: string, text: string): void => {
    const file = path.join(place.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  /** Makes a checkout of the target branch, with the same files in the working folder. */
  function checkout(files: Readonly<Record<string, string>>): void {
    for (const one of ["base", "policies", "OWNERS", ".gitlab-ci.yml", "ci", "main.ts", "waivers.yaml"])
      rmSync(path.join(place.folder, one), { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) write(`base/${name}`, text);
    cpSync(path.join(place.folder, "base"), place.folder, { recursive: true });
  }
  const RULES = {
    "cdktf.json": `{"app": "node main.ts", "policy": "policy.js"}`,
    "policy.js": policyWith(2),
    "policies/helper.js": HELPER,
  };
  const env = () => ({
    STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
    CI_API_V4_URL: `${place.service.url}/api/v4`,
    CI_PROJECT_ID: "2",
    CI_COMMIT_BRANCH: "main",
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

  async function planned(file: string, commit: string) {
    const ended = await place.run(
      ["plan", ...PLANNED, "--base", "base", "--out-approval", file, "--report", "plan.json"],
      { ...env(), CI_COMMIT_SHA: commit },
    );
    expect(ended).toMatchObject({ code: 0 });
    return JSON.parse(place.read(file)) as {
      approvals: number;
      policies: string;
      rule_changes: { what: string; is_looser?: true }[];
    };
  }

  test("if a merge request weakens a rule, the old rule still decides how many approvals it needs", async () => {
    checkout({ ...RULES, "waivers.yaml": "[]\n" });
    const before = await planned("changes.json", HEAD);
    expect(before).toMatchObject({ approvals: 2, rule_changes: [] });
    write("policy.js", policyWith(1));
    const after = await planned("changes.json", HEAD);
    expect(after).toMatchObject({ approvals: 2, policies: before.policies });
    expect(after.rule_changes[0]).toEqual({ what: "weakens two-approvals: 2 → 1", is_looser: true });
    expect(after.rule_changes.map(({ what }) => what).join("\n")).toContain("changes policy.js (a policy)");
  });

  test.each<[string, string, string, string]>([
    [
      "a module that a policy imports",
      "policies/helper.js",
      "module.exports = () => [];\n",
      "policies/helper.js",
    ],
    ["owners", "OWNERS", "acme/* @mallory\n", "OWNERS (owners)"],
    ["the pipeline", ".gitlab-ci.yml", "include: /ci/jobs.yml\nx: 1\n", ".gitlab-ci.yml (the pipeline)"],
    ["an included file", "ci/jobs.yml", "apply: {script: [true]}\n", "ci/jobs.yml (the pipeline)"],
    ["ignored drift", "ignored.yaml", "- {setting: '*'}\n", "ignored.yaml (waivers)"],
    [
      "the floor of a fleet",
      "main.ts",
      "new Fleet({ floor: { inbound: false } });\n",
      "minimum settings or a project policy in main.ts",
    ],
    [
      "who approves",
      "policy.js",
      `${policyWith(2)}exports.approval = { allowAuthor: true };\n`,
      "allowAuthor of approval: none → true",
    ],
    ["a removed rule", "policy.js", "module.exports = [];\n", "removes the rule two-approvals"],
  ])("the approval file lists a change that loosens the rules: %s", async (_what, file, text, expected) => {
    checkout({
      ...RULES,
      OWNERS: "acme/* @maya\n",
      ".gitlab-ci.yml": "include: /ci/jobs.yml\ndrift: {script: [steward drift --ignore ignored.yaml]}\n",
      "ci/jobs.yml": "apply: {script: [false]}\n",
      "ignored.yaml": "[]\n",
      "main.ts": "new Fleet({ floor: { inbound: true } });\n",
    });
    write(file, text);
    const { rule_changes: changes } = await planned("changes.json", HEAD);
    expect(changes.map(({ what }) => what).join("\n")).toContain(expected);
    expect(changes[0]!.is_looser).toBe(true);
  });

  test("if a policy imports a module, a change to this module changes the hash of the policies", async () => {
    checkout(RULES);
    const { policies: one } = await planned("changes.json", HEAD);
    write("base/policies/helper.js", `// changed\n${HELPER}`);
    const { policies: other } = await planned("changes.json", HEAD);
    expect(other).not.toBe(one);
  });

  /**
   * Opens a merge request, writes the comment with the edited plan, and approves and merges the request. Returns the
   * number of the request.
   */
  async function approved(edit: (file: string) => void, head = HEAD, merged = MERGED): Promise<number> {
    const { iid } = await send("POST", "/_steward/projects/2/merge_requests", TOKENS.developer, {
      title: "Rules",
      source_branch: `rules-${head[0]}`,
      sha: head,
    });
    await planned("changes.json", head);
    edit(path.join(place.folder, "changes.json"));
    const mine = { ...env(), CI_COMMIT_SHA: head, CI_MERGE_REQUEST_IID: String(iid) };
    expect(await place.run(["ci", "comment", "plan.json", "--approval", "changes.json"], mine)).toMatchObject(
      { code: 0, err: "" },
    );
    for (const token of [TOKENS.maintainer, "oskar-token"])
      await send("POST", `/api/v4/projects/2/merge_requests/${iid}/approve`, token, { sha: head });
    await place.byHand("PUT", `/_steward/projects/2/merge_requests/${iid}`, { merge_commit_sha: merged });
    return iid;
  }

  /** Runs the apply job for a commit of the branch, and then closes the merge requests. */
  async function applied(requests: readonly number[], merged = MERGED) {
    await planned("judged.json", merged);
    const ended = await place.run(["ci", "apply", "--config", "cdktf.out", "--judged", "judged.json"], {
      ...env(),
      CI_COMMIT_SHA: merged,
    });
    for (const iid of requests)
      await place.byHand("PUT", `/_steward/projects/2/merge_requests/${iid}`, { state: "closed" });
    return ended;
  }

  const story = async (edit: (file: string) => void) => applied([await approved(edit, HEAD, LAST)], LAST);

  const withoutRules = (file: string): void => {
    const { rule_changes: _, ...approval } = JSON.parse(place.read(path.basename(file)));
    writeFileSync(file, `${JSON.stringify(approval, null, 2)}\n`);
  };

  test("if the comment of one of two merge requests omits a rule change, ci apply fails", async () => {
    checkout(RULES);
    const earlier = await approved(withoutRules);
    const [head, merged] = ["c".repeat(40), "d".repeat(40)];
    const later = await approved(() => undefined, head, merged);
    const refused = await applied([earlier, later], merged);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `The comment of !${earlier} does not say which rules the request changes.`,
      ),
    });
  });

  test("if a merge request weakens a rule and its comment omits this change, ci apply fails", async () => {
    checkout(RULES);
    write("policy.js", policyWith(1));
    const refused = await story(withoutRules);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("not in the comment: weakens") });
    const done = await story(() => undefined);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining("Apply complete!") });
    expect(done.out).not.toContain("Once they are approved");
  });
});
