import { GROUP, PROJECT, TOKEN, USER } from "../provider/support/world";
import { dynamic, make, NONE, type PluginClient, plain, plan } from "./support/plugin-client";
import { useServed } from "./support/served";

// The tests check that the provider, called over the plugin protocol, compares declared paths with the ids that it recorded
// during the apply.

const ENVIRONMENT = "steward_protected_environment";
const ALLOWLIST = "steward_job_token_allowlist";
const served = useServed();

async function http(method: string, path: string, body: object) {
  const response = await fetch(`${served.service.url}/api/v4${path}`, {
    method,
    headers: { "private-token": served.service.adminToken, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as { readonly id: number };
}

const element = (given: object) => ({
  user: null,
  group: null,
  access_level: null,
  group_inheritance_type: null,
  ...given,
});
const environment = (project: string, name: string, level: object = { access_level: 40 }) =>
  dynamic({
    id: null,
    required_approval_count: null,
    approval_rules: null,
    ...{ project, name, deploy_access_levels: [element(level)] },
  });

type Made = Awaited<ReturnType<typeof make>>;

/** Reads and plans in a separate run, as one plan of Terraform does. */
async function refreshed(typeName: string, made: Made, client?: PluginClient) {
  const run = client ?? (await served.configured({ token: TOKEN.owner }));
  const read = await run.call("ReadResource", {
    typeName,
    currentState: made.newState!,
    private: made.private,
  });
  expect(read.diagnostics).toEqual([]);
  const prior = { priorState: read.newState!, priorPrivate: read.private };
  return { read, planned: (config: ReturnType<typeof dynamic>) => plan(run, typeName, config, prior) };
}

test("if a project was renamed, the plans of all its objects give one warning in total", async () => {
  const first = await served.configured({ token: TOKEN.owner });
  const [one, other] = [
    await make(first, ENVIRONMENT, environment("acme/docs", "production")),
    await make(first, ENVIRONMENT, environment("acme/docs", "staging")),
  ];
  await http("PUT", `/projects/${PROJECT.docs}`, { path: "papers" });
  const run = await served.configured({ token: TOKEN.owner });
  const plans = [
    await (await refreshed(ENVIRONMENT, one, run)).planned(environment("acme/docs", "production")),
    await (await refreshed(ENVIRONMENT, other, run)).planned(environment("acme/docs", "staging")),
  ];
  for (const [index, { plannedState }] of plans.entries())
    expect(plain(plannedState)).toEqual(plain([one, other][index]!.newState));
  expect(plans.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([
    { severity: "WARNING", detail: expect.stringContaining('renamed to "acme/papers"') },
  ]);
  // Now the declaration has the new path. The plan is empty and has no warning.
  const followed = await (await refreshed(ENVIRONMENT, one)).planned(
    environment("acme/papers", "production"),
  );
  expect(followed.diagnostics).toEqual([]);
  expect(plain(followed.plannedState)).toEqual(plain(one.newState));
});

test("if another project took the declared path, the provider refuses the plan until the declaration has a numeric id", async () => {
  const made = await make(
    await served.configured({ token: TOKEN.owner }),
    ENVIRONMENT,
    environment("acme/tools", "production"),
  );
  await http("PUT", `/projects/${PROJECT.tools}`, { path: "instruments" });
  const { id } = await http("POST", "/projects", { path: "tools", namespace_id: GROUP.acme });
  const { planned } = await refreshed(ENVIRONMENT, made);
  const refused = await planned(environment("acme/tools", "production"));
  expect(refused.diagnostics).toMatchObject([
    {
      severity: "ERROR",
      summary: "A path now belongs to another project",
      detail: expect.stringContaining(
        `"${PROJECT.tools}" for project ${PROJECT.tools}, or "${id}" for project`,
      ),
    },
  ]);
  const kept = await planned(environment(String(PROJECT.tools), "production"));
  expect(kept).toMatchObject({ diagnostics: [], requiresReplace: [] });
  expect(plain(kept.plannedState)).toEqual(plain(made.newState));
  const taken = await planned(environment(String(id), "production"));
  expect(taken.requiresReplace).toMatchObject([{ steps: [{ attributeName: "project" }] }]);
  const ended = await (await refreshed(ENVIRONMENT, made)).planned(NONE);
  expect(ended.diagnostics).toEqual([]);
  const run = await served.configured({ token: TOKEN.owner });
  const applied = await run.call("ApplyResourceChange", {
    typeName: ENVIRONMENT,
    priorState: made.newState!,
    plannedState: NONE,
    config: NONE,
    plannedPrivate: made.private,
  });
  expect([plain(applied.newState), applied.diagnostics]).toEqual([null, []]);
});

test("if another user took a declared username, the provider refuses every plan, even after the environment was deleted", async () => {
  const levels = { user: "devon" };
  const made = await make(
    await served.configured({ token: TOKEN.owner }),
    ENVIRONMENT,
    environment("acme/web", "production", levels),
  );
  await http("PUT", `/users/${USER.devon}`, { username: "devona" });
  const { read, planned } = await refreshed(ENVIRONMENT, made);
  expect((await planned(environment("acme/web", "production", levels))).diagnostics).toMatchObject([
    { severity: "WARNING", detail: expect.stringContaining('renamed to "devona"') },
  ]);
  await http("POST", "/users", { username: "devon", name: "Stranger", email: "stranger-2@example.com" });
  // The state after the refresh still contains the id of the first user, so both states must be refused.
  const later = { ...made, newState: read.newState!, private: read.private };
  for (const state of [made, later]) {
    const { planned: again } = await refreshed(ENVIRONMENT, state);
    expect((await again(environment("acme/web", "production", levels))).diagnostics).toMatchObject([
      { severity: "ERROR", summary: "A path now belongs to another user" },
    ]);
  }
  await fetch(`${served.service.url}/api/v4/projects/1/protected_environments/production`, {
    method: "DELETE",
    headers: { "private-token": served.service.adminToken },
  });
  const run = await served.configured({ token: TOKEN.owner });
  const gone = await run.call("ReadResource", {
    typeName: ENVIRONMENT,
    currentState: made.newState!,
    private: made.private,
  });
  expect(plain(gone.newState)).toBeNull();
  const created = await plan(run, ENVIRONMENT, environment("acme/web", "production", levels));
  expect(created.diagnostics).toMatchObject([
    { severity: "ERROR", summary: "A path now belongs to another user" },
  ]);
});

test("if a new project takes the path of a deleted project in an allowlist, the provider refuses later plans", async () => {
  const { id: partner } = await http("POST", "/projects", { path: "partner", namespace_id: GROUP.acme });
  const allowlist = dynamic({
    id: null,
    project: "acme/web",
    target_projects: ["acme/partner", "acme/runner"],
    target_groups: null,
  });
  const made = await make(await served.configured({ token: TOKEN.owner }), ALLOWLIST, allowlist);
  await fetch(`${served.service.url}/api/v4/projects/${partner}`, {
    method: "DELETE",
    headers: { "private-token": served.service.adminToken },
  });
  await http("POST", "/projects", { path: "partner", namespace_id: GROUP.acme });
  // This test needs an administrator's token. With any other token, a deleted project looks like a project that the token
  // can't see.
  const administrator = () => served.configured({ token: served.service.adminToken });
  const { read, planned } = await refreshed(ALLOWLIST, made, await administrator());
  expect(plain(read.newState)).toMatchObject({ target_projects: ["acme/runner"] });
  const later = { ...made, newState: read.newState!, private: read.private };
  for (const ask of [planned, (await refreshed(ALLOWLIST, later, await administrator())).planned])
    expect((await ask(allowlist)).diagnostics).toMatchObject([
      { severity: "ERROR", summary: "A path now belongs to another project" },
    ]);
});
