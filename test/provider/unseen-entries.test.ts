import type { Answer, Passage } from "../support/http-proxy";
import { recordAnswer, refusal, useRunsBehind } from "./support/behind";
import { Host } from "./support/host";
import { GROUP, PROJECT, TOKEN, useWorld } from "./support/world";

// If a token cannot see a project or group, lists can omit the entry of this project or group. The provider does not
// send an omitted entry again after the service accepted it.

const world = useWorld();
const behind = useRunsBehind();
let connect: Awaited<ReturnType<typeof behind>>;
beforeEach(async () => {
  connect = await behind(world(), hiding, { max_attempts: 1 });
});

const HIDDEN = { project: PROJECT.hidden, group: GROUP.approvers };

/** Hides a project and a group: their own paths return 404, and lists omit them. */
async function hiding(passage: Passage): Promise<Answer | undefined> {
  const { isWrite, url } = passage;
  const isHidden = ([kind, id]: [string, number]) => new RegExp(`/${kind}s/${id}(?:$|[/?])`).test(url);
  if (Object.entries(HIDDEN).some(isHidden)) return refusal(404, "404 Not Found");
  if (isWrite || !/allowlist(?:$|\?)/.test(url)) return undefined;
  const answer = await passage.forward();
  if (answer.status !== 200) return answer;
  const records = JSON.parse(answer.body.toString()) as readonly { readonly id: number }[];
  const shown = records.filter(
    ({ id }) => id !== HIDDEN[url.includes("groups_allowlist") ? "group" : "project"],
  );
  const { headers } = recordAnswer(200, shown);
  const total = String(Number(answer.headers["x-total"]) - (records.length - shown.length));
  return { ...recordAnswer(200, shown), headers: { ...headers, "x-total-pages": "1", "x-total": total } };
}

/** Plans and applies through the proxy. */
async function bring(host: Host, prior: Parameters<Host["plan"]>[0], config: Parameters<Host["plan"]>[1]) {
  const run = connect();
  const live = prior && (await host.read(prior, run)).state;
  return host.apply(await host.plan(live, config, run), run);
}
const writes = () => world().service.requests.all.filter(({ method }) => method !== "GET");
const listOf = async (name: string) => {
  const entries = (await world().http(
    "GET",
    `/projects/${PROJECT.web}/job_token_scope/${name}`,
    undefined,
    TOKEN.administrator,
  )) as readonly { readonly id: number }[];
  return entries
    .map(({ id }) => id)
    .filter((id) => id !== PROJECT.web)
    .sort();
};

describe("a whole allowlist", () => {
  const host = () => new Host(world(), "steward_job_token_allowlist");
  const declared = (...projects: number[]) => ({
    project: "acme/web",
    target_projects: projects.map(String),
    target_groups: [String(GROUP.platform), String(GROUP.approvers)],
  });
  /** Applies the declaration with a token that sees everything, and returns the state. */
  const applied = () => host().bring(undefined, declared(PROJECT.tools, PROJECT.hidden));

  test("if the token can't see some allowlist entries, a read reports one warning, and the plan has no change", async () => {
    const state = await applied();
    const run = connect();
    const { state: live, diagnostics } = await host().read(state, run);
    expect(live).toEqual(state);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "entry_not_visible" }]);
    expect(diagnostics[0]!.detail).toContain(`project ${PROJECT.hidden} and group ${GROUP.approvers}`);
    const plan = await host().plan(live, declared(PROJECT.tools, PROJECT.hidden), run);
    expect(plan).toMatchObject({ action: "none", diagnostics: [] });
  });

  test("an update that adds an entry sends only this entry to the service", async () => {
    const state = await applied();
    const { diagnostics: read } = await host().read(state, connect());
    world().service.requests.reset();
    const { state: changed, diagnostics } = await bring(
      host(),
      state,
      declared(PROJECT.tools, PROJECT.hidden, PROJECT.docs),
    );
    expect(diagnostics).toEqual(read);
    expect(writes().map(({ method }) => method)).toEqual(["POST"]);
    expect(changed!.attributes["target_projects"]).toEqual(["2", "5", "4"]);
    expect(await listOf("allowlist")).toEqual([PROJECT.tools, PROJECT.docs, PROJECT.hidden]);
  });

  test("if the service refuses a new entry, the entries that the token can't see stay in the state", async () => {
    const state = await applied();
    world().service.faults.add({
      method: "POST",
      route: "/projects/:id/job_token_scope/allowlist",
      status: 422,
      always: true,
    });
    const { state: left, diagnostics } = await bring(
      host(),
      state,
      declared(PROJECT.tools, PROJECT.hidden, PROJECT.docs),
    );
    expect(diagnostics).toMatchObject([{ severity: "error", code: "unprocessable" }]);
    expect(left!.attributes).toEqual(state.attributes);
  });

  test("if the code no longer declares an entry that the token can't see, an apply removes the entry", async () => {
    const state = await applied();
    const { diagnostics } = await bring(host(), state, declared(PROJECT.tools));
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(await listOf("allowlist")).toEqual([PROJECT.tools]);
  });

  test("if the token can't see a new entry, the create warns, and the next plan is empty", async () => {
    const config = declared(PROJECT.hidden);
    const { state, diagnostics } = await bring(host(), undefined, config);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "entry_not_visible" }]);
    expect(await listOf("allowlist")).toEqual([PROJECT.hidden]);
    const run = connect();
    const { state: live } = await host().read(state!, run);
    expect((await host().plan(live, config, run)).action).toBe("none");
  });

  test("if the token can see the target of a manually removed entry, a read drops the entry from the state", async () => {
    const state = await applied();
    await world().http("DELETE", `/projects/${PROJECT.web}/job_token_scope/allowlist/${PROJECT.tools}`);
    expect((await host().read(state, connect())).state!.attributes["target_projects"]).toEqual(["5"]);
    expect((await host().read(state, connect(TOKEN.administrator))).state!.attributes).toMatchObject({
      target_projects: [],
      target_groups: [String(GROUP.platform)],
    });
  });

  test("if no entry is hidden, a read of an allowlist sends three requests", async () => {
    const state = await applied();
    world().service.requests.reset();
    await host().read(state, world().connect());
    expect(world().service.requests.count()).toBe(2 + 1);
  });
});

describe.each([
  ["steward_job_token_allowlist_project", { target_project: String(PROJECT.hidden) }, "allowlist"],
  ["steward_job_token_allowlist_group", { target_group: String(GROUP.approvers) }, "groups_allowlist"],
])("a single entry of %s", (type, target, list) => {
  const config = { project: "acme/web", ...target };

  test("if the service hides an accepted entry, a read keeps the entry in the state with one warning", async () => {
    const host = new Host(world(), type);
    const { state } = await bring(host, undefined, config);
    const run = connect();
    const { state: live, diagnostics } = await host.read(state!, run);
    expect(live).toEqual(state);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "entry_not_visible" }]);
    expect(await host.plan(live, config, run)).toMatchObject({ action: "none", diagnostics: [] });
    expect(await listOf(list)).toHaveLength(1);
  });

  test("if the token can see the target of a missing entry, a read drops the entry from the state", async () => {
    const host = new Host(world(), type);
    const { state } = await bring(host, undefined, config);
    await host.destroy(state!);
    expect(await host.read(state!, world().connect())).toEqual({ diagnostics: [] });
  });
});
