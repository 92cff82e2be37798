import fc from "fast-check";
import { hasErrors } from "../../../src/diagnostics";
import type { AccessRequest, StoredState } from "../../../src/framework";
import { sameValue } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";
import { withNulls } from "../support/host";
import { useWorld, type World } from "../support/world";
import { company, TOKEN } from "./company";

// The law: the projects and groups that the report counts before and after a plan are those that the service lists before
// and after its apply; also if the state is older than what is live, as with --refresh=false.

const world = useWorld(company());

const SHOP = "/projects/1/job_token_scope";

const GROUP_IDS: Readonly<Record<number, string>> = { 100: "acme", 110: "secret" };
const projects = fc.subarray(["acme/tools", "acme/docs"]);
const groups = fc.subarray(Object.values(GROUP_IDS));
const sets = fc.record({ projects, groups, isLimited: fc.boolean() });

/** What is live when the state is written, what is live now, and what is declared: one whole list, or entries. */
const story = fc.record({
  recorded: sets,
  live: sets,
  isStale: fc.boolean(),
  list: fc.oneof(
    fc.record({ target_projects: fc.option(projects), target_groups: fc.option(groups) }),
    fc.constantFrom("destroyed", "not declared"),
  ),
  managed: fc.record({ projects: fc.boolean(), groups: fc.boolean() }),
  limit: fc.constantFrom("on", "off", "omitted", "not declared"),
});
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never;

const call = (method: string, path: string, body?: object) => world().http(method, path, body, TOKEN.root);

/** The names that the service lists, and whether the limit is on. */
async function liveSets() {
  const [limit, allowed, groupsAllowed] = await Promise.all([
    call("GET", SHOP) as Promise<{ inbound_enabled: boolean }>,
    call("GET", `${SHOP}/allowlist?per_page=100`) as Promise<{ id: number; path_with_namespace: string }[]>,
    call("GET", `${SHOP}/groups_allowlist?per_page=100`) as Promise<{ id: number }[]>,
  ]);
  const entries = [
    ...groupsAllowed.map((one) => ({
      id: one.id,
      name: `group ${GROUP_IDS[one.id]}`,
      list: "groups_allowlist",
    })),
    ...allowed
      .filter(({ id }) => id !== 1)
      .map((one) => ({ id: one.id, name: `project ${one.path_with_namespace}`, list: "allowlist" })),
  ];
  return { isLimited: limit.inbound_enabled, entries };
}

/** Who has access, as the report names it. */
async function holders(): Promise<string[]> {
  const { isLimited, entries } = await liveSets();
  return isLimited ? entries.map(({ name }) => name).sort() : ["everybody every project"];
}

async function idOf(kind: "project" | "group", path: string): Promise<number> {
  const { id } = (await call("GET", `/${kind}s/${encodeURIComponent(path)}`)) as { id: number };
  return id;
}

async function setLive({ projects: ofProjects, groups: ofGroups, isLimited }: Story["live"]): Promise<void> {
  for (const { id, list } of (await liveSets()).entries) await call("DELETE", `${SHOP}/${list}/${id}`);
  for (const path of ofProjects)
    await call("POST", `${SHOP}/allowlist`, { target_project_id: await idOf("project", path) });
  for (const path of ofGroups)
    await call("POST", `${SHOP}/groups_allowlist`, { target_group_id: await idOf("group", path) });
  await call("PATCH", SHOP, { enabled: isLimited });
}

const LIST = "steward_job_token_allowlist";
const SCOPE = "steward_job_token_scope";

async function requestsOf(
  { list, limit, managed }: Story,
  prior: ReadonlyMap<string, StoredState>,
): Promise<AccessRequest[]> {
  const run = world().connect(TOKEN.root);
  const requests: AccessRequest[] = [];
  const add = async (type: string, before: StoredState | undefined, given: object | null): Promise<void> => {
    const address = `${type}.one`;
    if (given === null) {
      if (before !== undefined)
        requests.push({ type, address, prior: before, planned: undefined, config: undefined });
      return;
    }
    const config = withNulls(world().provider.schema.resources[type]!.attributes, given as never);
    const { planned, diagnostics } = await run.planResource({ type, address, prior: before, config });
    expect(hasErrors(diagnostics)).toBe(false);
    requests.push({ type, address, prior: before, planned, config });
  };
  const known = prior.get(LIST);
  const held = known && {
    ...known,
    attributes: {
      ...known.attributes,
      ...(!managed.projects && { target_projects: null }),
      ...(!managed.groups && { target_groups: null }),
    },
  };
  if (list === "destroyed") await add(LIST, held, null);
  else if (list !== "not declared") await add(LIST, held, { project: "acme/shop", ...list });
  if (limit === "omitted") await add(SCOPE, prior.get(SCOPE), { project: "acme/shop" });
  else if (limit !== "not declared")
    await add(SCOPE, prior.get(SCOPE), { project: "acme/shop", inbound_enabled: limit === "on" });
  return requests;
}

async function priorStates(at: World): Promise<Map<string, StoredState>> {
  const run = at.connect(TOKEN.root);
  const found = new Map<string, StoredState>();
  for (const type of [LIST, SCOPE]) found.set(type, (await run.importResource({ type, id: "1" })).state!);
  return found;
}

async function holds(one: Story): Promise<void> {
  if (one.isStale) await setLive(one.recorded);
  else await setLive(one.live);
  const prior = await priorStates(world());
  await setLive(one.live);
  const requests = await requestsOf(one, prior);
  const before = await holders();
  const { places, notCounted } = await world().connect(TOKEN.root).describeAccess!(requests);
  const run = world().connect(TOKEN.root);
  for (const { type, prior: was, planned, config } of requests) {
    // An engine sends nothing for what its plan leaves as it is.
    if (was !== undefined && planned !== undefined && sameValue(was.attributes, planned.attributes)) continue;
    const { diagnostics } = await run.applyResource({ type, prior: was, planned, config });
    expect(diagnostics.filter((diagnostic) => hasErrors([diagnostic]))).toEqual([]);
  }
  const after = await holders();
  expect(notCounted).toEqual([]);
  const [change] = places.flatMap(({ abilities }) => abilities);
  const names = (all: readonly { kind: string; name: string }[] = []) =>
    all.map(({ kind, name }) => `${kind} ${name}`).sort();
  if (change === undefined) expect(after).toEqual(before);
  else expect([names(change.before), names(change.after)]).toEqual([before, after]);
}

const ALL = { projects: ["acme/tools"], groups: ["secret"], isLimited: true };
const PLAIN: Story = {
  recorded: ALL,
  live: ALL,
  isStale: false,
  list: { target_projects: ["acme/tools"], target_groups: null },
  managed: { projects: true, groups: true },
  limit: "not declared",
};
const EXAMPLES: readonly Story[] = [
  // Groups that are no longer managed stay.
  PLAIN,
  // A list that is destroyed takes what came by hand since the state was written.
  { ...PLAIN, recorded: { ...ALL, groups: [] }, isStale: true, list: "destroyed" },
  // A setting that is not declared stays as it is live.
  { ...PLAIN, recorded: { ...ALL, isLimited: false }, isStale: true, limit: "omitted" },
];

test("the projects and groups that the access report counts are those that the service lists before and after the apply", async () => {
  await fc.assert(fc.asyncProperty(story, holds), {
    seed,
    numRuns: runs(10, 1500),
    examples: EXAMPLES.map((one): [Story] => [one]),
  });
}, 3_600_000);
