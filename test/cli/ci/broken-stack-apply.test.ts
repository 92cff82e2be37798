import { openPlace, type Place, TOKENS } from "../support/place";
import { COMMENT_TOKEN, TEAM } from "./team";

// If one stack has no plan, the apply must still make the approved changes of the other stacks.

const COMMIT = "b".repeat(40);
const REQUIRED = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };
/** Returns a stack that limits the job tokens of a project, and that may refer to a missing project. */
const stackOf = (project: string, reference?: string) => ({
  terraform: REQUIRED,
  resource: { steward_job_token_scope: { limit: { project: `acme/${project}`, inbound_enabled: true } } },
  ...(reference !== undefined && {
    data: { steward_project: { other: { project: `acme/${reference}` } } },
    output: { other: { value: "${data.steward_project.other.id}" } },
  }),
});
type Stacks = Readonly<Record<string, ReturnType<typeof stackOf>>>;
const HEADS = ["a".repeat(40), "c".repeat(40)] as const;

let place: Place;
beforeEach(async () => {
  place = await openPlace({
    ...TEAM,
    projects: [{ path: "acme/settings" }, { path: "acme/cart" }, { path: "acme/shop" }],
  });
});
afterEach(() => place.close());

function declare(stacks: Stacks): void {
  const entries = Object.keys(stacks).map((name) => {
    const entry = { name, constructPath: name, workingDirectory: `stacks/${name}` };
    return [name, { ...entry, dependencies: [], annotations: [] }];
  });
  place.write("cdktf.out/manifest.json", { version: "0.21.0", stacks: Object.fromEntries(entries) });
  for (const [name, json] of Object.entries(stacks))
    place.write(`cdktf.out/stacks/${name}/cdk.tf.json`, json);
}
const send = async (method: string, path: string, token: string, body: object) => {
  const response = await fetch(`${place.service.url}${path}`, {
    method,
    headers: { "private-token": token, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
};
const env = (more: Readonly<Record<string, string>>) => ({
  STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
  CI_API_V4_URL: `${place.service.url}/api/v4`,
  CI_PROJECT_ID: "1",
  CI_COMMIT_BRANCH: "main",
  ...more,
});
const plan = (commit: string, ...files: readonly string[]) =>
  place.run(["plan", "--config", "cdktf.out", "--lock=false", ...files], env({ CI_COMMIT_SHA: commit }));
/** Opens a merge request with these stacks, writes the comment of the request, and approves and merges the request. */
async function approve(iid: number, stacks: Stacks): Promise<void> {
  const sha = HEADS[iid - 1]!;
  const request = { title: "Limit", source_branch: `limit-${iid}`, sha };
  await send("POST", "/_steward/projects/1/merge_requests", TOKENS.developer, request);
  declare(stacks);
  await plan(sha, "--report", "plan.json", "--out-approval", "changes.json");
  const comment = ["ci", "comment", "plan.json", "--approval", "changes.json"];
  await place.run(comment, env({ CI_COMMIT_SHA: sha, CI_MERGE_REQUEST_IID: String(iid) }));
  await send("POST", `/api/v4/projects/1/merge_requests/${iid}/approve`, TOKENS.maintainer, { sha });
}
const merge = (iid: number, commit: string) =>
  send("PUT", `/_steward/projects/1/merge_requests/${iid}`, TOKENS.maintainer, { merge_commit_sha: commit });
const apply = (...more: readonly string[]) =>
  place.run(["ci", "apply", "--config", "cdktf.out", ...more], env({ CI_COMMIT_SHA: COMMIT }));
const writes = () =>
  place.service.requests.all
    .filter(({ method, url }) => method === "PATCH" && url.includes("job_token_scope"))
    .map(({ url }) => url.replace(/^.*projects\/(\d+)\/.*$/, "$1"));
const spentNotes = async (iid: number): Promise<string[]> => {
  const notes = await fetch(`${place.service.url}/api/v4/projects/1/merge_requests/${iid}/notes`, {
    headers: { "private-token": place.service.adminToken },
  });
  const bodies = ((await notes.json()) as { body: string }[]).map(({ body }) => body);
  return bodies.filter((body) => body.includes("The approval is spent."));
};

const CART = stackOf("cart");
const SHOP = stackOf("shop");
const BROKEN = stackOf("shop", "ghost");

test("if the plan of one of two stacks fails, ci apply still applies the other stack's changes", async () => {
  await approve(1, { cart: CART, shop: SHOP });
  await merge(1, COMMIT);
  declare({ cart: CART, shop: BROKEN });
  const ended = await apply();
  expect(ended.code).toBe(1);
  expect(ended.err).toContain("The changes of stack shop wait, because its plan failed.");
  expect(ended.err).toContain("acme/ghost");
  expect(ended.out).toMatch(/^Digest of this plan: [0-9a-f]{64}\nPeople approve the digest in the comment/m);
  expect(writes()).toEqual(["2"]);
  expect(await spentNotes(1)).toEqual([]);
  declare({ cart: CART, shop: SHOP });
  expect(await apply()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["2", "3"]);
  expect(await spentNotes(1)).toHaveLength(1);
});

test("if the plan of one merge request's stack fails, this merge request's approval stays valid", async () => {
  await approve(1, { shop: SHOP });
  await approve(2, { cart: CART });
  await merge(1, HEADS[0]);
  await merge(2, COMMIT);
  declare({ cart: CART, shop: BROKEN });
  expect((await apply()).code).toBe(1);
  expect(await spentNotes(1)).toEqual([]);
  expect(await spentNotes(2)).toHaveLength(1);
  declare({ cart: CART, shop: SHOP });
  expect(await apply()).toMatchObject({ code: 0 });
  expect(writes()).toEqual(["2", "3"]);
  expect(await spentNotes(1)).toHaveLength(1);
});

test("if the plan of a stack failed before the approval, ci apply does not apply the stack's changes", async () => {
  await approve(1, { cart: CART, shop: BROKEN });
  await merge(1, COMMIT);
  declare({ cart: CART, shop: SHOP });
  const ended = await apply();
  expect(ended.code).toBe(1);
  expect(ended.err).toContain(
    "The changes of stack shop wait, because its plan failed before the approval of !1",
  );
  expect(writes()).toEqual(["2"]);
});

test("if a stack's plan failed in the job that judged the policies, ci apply does not apply the stack's changes", async () => {
  await approve(1, { cart: CART, shop: SHOP });
  await merge(1, COMMIT);
  declare({ cart: CART, shop: BROKEN });
  expect((await plan(COMMIT, "--out-approval", "judged.json")).code).toBe(1);
  declare({ cart: CART, shop: SHOP });
  const ended = await apply("--judged", "judged.json");
  expect(ended.code).toBe(1);
  expect(ended.err).toContain("because its plan failed in the job that judged the policies");
  expect(writes()).toEqual(["2"]);
  expect(await spentNotes(1)).toEqual([]);
});

test("if the plans of all stacks fail, ci apply writes nothing, and the approval stays valid", async () => {
  await approve(1, { cart: CART, shop: SHOP });
  await merge(1, COMMIT);
  declare({ cart: stackOf("cart", "ghost"), shop: BROKEN });
  expect((await apply()).code).toBe(1);
  expect(writes()).toEqual([]);
  expect(await spentNotes(1)).toEqual([]);
});
