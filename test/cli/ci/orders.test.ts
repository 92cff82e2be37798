import fc from "fast-check";
import { openPlace, type Place, TOKENS } from "../support/place";
import { COMMENT_TOKEN, TEAM } from "./team";

// The law of `ci apply`: if several merge requests are merged within a minute, `ci apply` applies each of them exactly
// once. The order of the jobs does not matter.

const NAMES = ["shop", "tools", "docs"] as const;
type Way = "merge commit" | "squash" | "fast-forward";
const WAYS: readonly Way[] = ["merge commit", "squash", "fast-forward"];
const headOf = (at: number): string => `a${at}`.repeat(20);
const commitOf = (at: number, way: Way): string =>
  way === "fast-forward" ? headOf(at) : `b${at}`.repeat(20);

const configurationOf = (projects: readonly string[]) => ({
  terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
  resource: {
    steward_job_token_scope: Object.fromEntries(
      projects.map((name) => [name, { project: `acme/${name}`, inbound_enabled: true }]),
    ),
  },
});

async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const place = await openPlace({
    ...TEAM,
    projects: [{ path: "acme/settings" }, ...NAMES.map((name) => ({ path: `acme/${name}` }))],
  });
  try {
    await work(place);
  } finally {
    await place.close();
  }
}

const send = async ({ service }: Place, method: string, path: string, token: string, body: object) => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { "private-token": token, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
};

const envOf = ({ service }: Place) => ({
  STEWARD_COMMENT_TOKEN: COMMENT_TOKEN,
  CI_API_V4_URL: `${service.url}/api/v4`,
  CI_PROJECT_ID: "1",
  CI_COMMIT_BRANCH: "main",
});

/**
 * Opens a merge request that declares one more project. Writes the comment of the merge request, and approves the request.
 */
async function approvedRequest(place: Place, at: number): Promise<void> {
  const request = { title: NAMES[at], source_branch: NAMES[at], sha: headOf(at) };
  await send(place, "POST", "/_steward/projects/1/merge_requests", TOKENS.developer, request);
  place.write("main.tf.json", configurationOf([NAMES[at]!]));
  const env = { ...envOf(place), CI_COMMIT_SHA: headOf(at), CI_MERGE_REQUEST_IID: String(at + 1) };
  const files = ["--report", "plan.json", "--out-approval", "changes.json"];
  expect((await place.run(["plan", "--config", ".", "--lock=false", ...files], env)).code).toBe(0);
  expect((await place.run(["ci", "comment", "plan.json", "--approval", "changes.json"], env)).code).toBe(0);
  const approve = `/api/v4/projects/1/merge_requests/${at + 1}/approve`;
  await send(place, "POST", approve, TOKENS.maintainer, { sha: headOf(at) });
}

const merge = (place: Place, at: number, way: Way) =>
  send(place, "PUT", `/_steward/projects/1/merge_requests/${at + 1}`, TOKENS.maintainer, {
    ...(way === "merge commit" && { merge_commit_sha: commitOf(at, way) }),
    ...(way === "squash" && { squash_commit_sha: commitOf(at, way) }),
    ...(way === "fast-forward" && { state: "merged" }),
  });

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

test("for any order and number of jobs, ci apply applies each of three merge requests once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ORDERS),
      fc.tuple(fc.constantFrom(...WAYS), fc.constantFrom(...WAYS), fc.constantFrom(...WAYS)),
      // The numbers of jobs that run before the second and before the third merge. 0 means that no job runs before it.
      fc.tuple(fc.nat(1), fc.nat(2)),
      async (order, ways, [second, third]) => {
        await withPlace(async (place) => {
          for (const at of NAMES.keys()) await approvedRequest(place, at);
          const merged: number[] = [];
          const mergeNext = async () => {
            const at = merged.length;
            await merge(place, at, ways[at]!);
            merged.push(at);
            const pipeline = { ref: "main", sha: commitOf(at, ways[at]!), status: "running" };
            await send(place, "POST", "/_steward/projects/1/pipelines", TOKENS.maintainer, pipeline);
          };
          const job = async (at: number) => {
            place.write("main.tf.json", configurationOf(NAMES.slice(0, at + 1)));
            const env = { ...envOf(place), CI_COMMIT_SHA: commitOf(at, ways[at]!) };
            const ended = await place.run(["ci", "apply", "--config", "."], env);
            expect(ended).toMatchObject({ code: 0 });
          };
          await mergeNext();
          if (second === 1) await job(0);
          await mergeNext();
          if (third > 0) await job(third - 1);
          await mergeNext();
          for (const at of order) await job(at);
          const { service } = place;
          const writes = service.requests.all.filter(
            ({ method, url }) => method === "PATCH" && url.includes("job_token_scope"),
          );
          expect(writes).toHaveLength(3);
          for (const at of NAMES.keys()) {
            const notes = await fetch(`${service.url}/api/v4/projects/1/merge_requests/${at + 1}/notes`, {
              headers: { "private-token": service.adminToken },
            });
            const bodies = ((await notes.json()) as { body: string }[]).map(({ body }) => body);
            expect(bodies.filter((body) => body.includes("The approval is spent."))).toHaveLength(1);
          }
        });
      },
    ),
    { numRuns: 3, seed: 50 },
  );
}, 120_000);
