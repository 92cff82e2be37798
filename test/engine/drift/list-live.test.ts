import { type ListLiveOptions, type LiveEvent, listLive } from "../../../src/engine";
import type { ContainerSelection } from "../../../src/framework/protocol/protocol";
import { FIXTURE, TOKEN, useWorld } from "../../provider/support/world";

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

test("if one list fails, the lists of other types, projects and groups still return their objects", async () => {
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

test("the list of a feature that is off on the service returns neither objects nor a failure", async () => {
  world().service.faults.add({ route: "/projects/:id/pages", status: 404, always: true });
  const { objects, failures } = await list({ names: ["acme/docs"] });
  expect(objects.map(({ type }) => type)).not.toContain("steward_pages_settings");
  expect(failures).toEqual([]);
});

test("progress counts all projects and groups, including skipped projects and groups", async () => {
  const events: LiveEvent[] = [];
  await list(
    { names: ["acme"], contents: "direct" },
    { onEvent: (event) => void events.push(event), token: TOKEN.owner },
  );
  const counts = events.map(({ listed }) => listed);
  expect(counts).toEqual([...counts].sort((one, other) => one - other));
  expect(events.at(-1)).toMatchObject({ listed: 8, found: 8 });
});

test("after the stop signal, the engine lists no further project or group", async () => {
  const stop = new AbortController();
  stop.abort();
  await list({ names: ["acme/docs"] }, { signal: stop.signal });
  expect(world().service.requests.count("GET", "/projects/:id/pages")).toBe(0);
});
