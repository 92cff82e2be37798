import { type ListLiveOptions, type LiveEvent, listLive } from "../../../src/engine";
import type { ContainerSelection } from "../../../src/framework/protocol/protocol";
import { FIXTURE, PROJECT, TOKEN, useWorld } from "../../provider/support/world";

const world = useWorld({
  ...FIXTURE,
  projects: [
    ...FIXTURE.projects!,
    {
      path: "acme/platform/tool",
      id: 50,
      protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
      invitations: [{ email: "new@example.com", role: "developer" }],
    },
  ],
});

const list = (
  given: Partial<ContainerSelection>,
  options: ListLiveOptions & { readonly token?: string } = {},
) => {
  const { provider } = world();
  return listLive(
    provider,
    world().connect(options.token),
    { names: [], contents: "none", ...given },
    options,
  );
};

test("every type of a project's objects is listed, but entries that a whole list owns", async () => {
  const { containers, objects, failures, diagnostics } = await list({ names: ["acme/platform/tool"] });
  expect(containers.map(({ path }) => path)).toEqual(["acme/platform/tool"]);
  expect(objects.map(({ id, name, isDefault }) => ({ id, name, isDefault }))).toEqual([
    { id: "50", name: "acme/platform/tool", isDefault: true },
    { id: "50", name: "acme/platform/tool", isDefault: true },
    { id: "50", name: "acme/platform/tool", isDefault: true },
    { id: "50:new@example.com", name: "acme/platform/tool: new@example.com", isDefault: false },
    { id: "50:production", name: "acme/platform/tool: production", isDefault: false },
  ]);
  expect(objects.map(({ type }) => type)).toEqual([
    "steward_job_token_allowlist",
    "steward_job_token_scope",
    "steward_pages_settings",
    "steward_project_invitation",
    "steward_protected_environment",
  ]);
  expect([...failures, ...diagnostics]).toEqual([]);
});

test("a setting that differs from the service's default is told apart from those that do not", async () => {
  await world()
    .http("PUT", `/projects/${PROJECT.tools}/job_token_scope/allowlist`, undefined)
    .catch(() => undefined);
  const { objects } = await list({ names: ["acme/web"] });
  const scope = objects.find(({ type }) => type === "steward_job_token_scope");
  expect(scope).toMatchObject({
    isDefault: false,
    defaults: [],
    state: { attributes: { inbound_enabled: false } },
  });
  const pages = objects.find(({ type }) => type === "steward_pages_settings");
  expect(pages?.defaults).toEqual(["unique_domain_enabled", "force_https", "primary_domain"]);
});

test("archived containers are skipped, and listed on request", async () => {
  const skipped = await list({ names: ["acme/archived", "acme/docs"] });
  expect(skipped.containers.map(({ path }) => path)).toEqual(["acme/docs"]);
  expect(skipped.archived.map(({ path }) => path)).toEqual(["acme/archived"]);
  const all = await list({ names: ["acme/archived", "acme/docs"] }, { includesArchived: true });
  expect(all.containers.map(({ path }) => path)).toEqual(["acme/archived", "acme/docs"]);
  expect(all.archived).toEqual([]);
});

test("what the token may not list is a failure of that type alone", async () => {
  const { objects, failures, diagnostics } = await list({ names: ["acme", "acme/docs"] });
  expect(objects.map(({ container }) => container.path)).toContain("acme/docs");
  expect(failures).toMatchObject([
    {
      type: "steward_group_invitation",
      container: { path: "acme" },
      isRefused: true,
      diagnostics: [{ severity: "error" }],
    },
  ]);
  expect(diagnostics).toEqual([]);
});

test("a list that fails leaves the other types and containers listed", async () => {
  world().service.faults.add({ route: "/projects/:id/protected_environments", status: 500, always: true });
  const { objects, failures } = await list({ names: ["acme/platform/tool", "acme/docs"] });
  expect(new Set(objects.map(({ container }) => container.path))).toEqual(
    new Set(["acme/docs", "acme/platform/tool"]),
  );
  expect(failures.map(({ container, type, isRefused }) => [container.path, type, isRefused])).toEqual([
    ["acme/docs", "steward_protected_environment", false],
    ["acme/platform/tool", "steward_protected_environment", false],
  ]);
});

test("a feature that is off gives no object and no failure", async () => {
  world().service.faults.add({ route: "/projects/:id/pages", status: 404, always: true });
  const { objects, failures } = await list({ names: ["acme/docs"] });
  expect(objects.map(({ type }) => type)).not.toContain("steward_pages_settings");
  expect(failures).toEqual([]);
});

test("progress counts up to all containers, those that are skipped included", async () => {
  const events: LiveEvent[] = [];
  await list(
    { names: ["acme"], contents: "direct" },
    { onEvent: (event) => void events.push(event), token: TOKEN.owner },
  );
  const counts = events.map(({ listed }) => listed);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
  expect(events.at(-1)).toEqual({ listed: 8, found: 8 });
});

test("after it is stopped, no further container is listed", async () => {
  const stop = new AbortController();
  stop.abort();
  await list({ names: ["acme/docs"] }, { signal: stop.signal });
  expect(world().service.requests.count("GET", "/projects/:id/pages")).toBe(0);
});
