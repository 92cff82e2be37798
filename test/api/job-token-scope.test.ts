import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeEach(async () => {
  setting = await startSetting();
});
afterEach(() => setting.close());

const idsOf = async (list: AsyncIterable<{ id: number }>) => {
  const ids = new Set<number>();
  for await (const { id } of list) ids.add(id);
  return ids;
};

test("the scope is read, and its limit is enabled and disabled", async () => {
  const { jobTokenScope } = setting.as("token-of-ann");
  expect(await jobTokenScope.get("acme/web")).toEqual({ inbound_enabled: true, outbound_enabled: false });
  await expect(jobTokenScope.update("acme/web", { enabled: false })).resolves.toBeUndefined();
  expect((await jobTokenScope.get(201)).inbound_enabled).toBe(false);
});

test("the allowlist returns every field of its projects", async () => {
  const list = await setting.admin.jobTokenScope.allowlist("acme/web").toArray();
  expect(list.map(({ path_with_namespace }) => path_with_namespace).sort()).toEqual(["acme/api", "acme/web"]);
  expect(list.find(({ id }) => id === 201)).toMatchObject({
    name: "web",
    name_with_namespace: expect.any(String),
    topics: ["frontend"],
    default_branch: "main",
    star_count: 0,
    web_url: expect.stringContaining("/acme/web"),
    namespace: { id: 101, full_path: "acme", kind: "group", parent_id: null },
  });
});

test("a project is added to the allowlist and removed", async () => {
  const { jobTokenScope } = setting.admin;
  expect(await jobTokenScope.addProject("acme/web", 203)).toEqual({
    source_project_id: 201,
    target_project_id: 203,
  });
  expect(await idsOf(jobTokenScope.allowlist(201))).toEqual(new Set([201, 202, 203]));
  expect(await failureOf(jobTokenScope.addProject("acme/web", 203))).toMatchObject({
    code: "already_there",
    status: 400,
  });
  await jobTokenScope.removeProject("acme/web", 203);
  expect(await idsOf(jobTokenScope.allowlist(201))).toEqual(new Set([201, 202]));
  expect((await failureOf(jobTokenScope.removeProject("acme/web", 203))).code).toBe("not_found");
});

test("a group is added to the allowlist and removed", async () => {
  const { jobTokenScope } = setting.admin;
  expect(await jobTokenScope.groupsAllowlist("acme/web").toArray()).toEqual([
    { id: 102, name: "tools", web_url: expect.stringContaining("acme/tools") },
  ]);
  expect(await jobTokenScope.addGroup("acme/web", 101)).toEqual({
    source_project_id: 201,
    target_group_id: 101,
  });
  await jobTokenScope.removeGroup("acme/web", 102);
  expect(await idsOf(jobTokenScope.groupsAllowlist(201))).toEqual(new Set([101]));
});

test("a former path works for reads and for changes", async () => {
  const { jobTokenScope } = setting.admin;
  expect((await jobTokenScope.get("acme/old-web")).inbound_enabled).toBe(true);
  await jobTokenScope.update("acme/old-web", { enabled: false });
  await jobTokenScope.addProject("acme/old-web", 203);
  expect((await jobTokenScope.get("acme/web")).inbound_enabled).toBe(false);
  expect(await idsOf(jobTokenScope.allowlist("acme/old-web"))).toEqual(new Set([201, 202, 203]));
});

test("refusals contain the service's message", async () => {
  const refused = setting.as("token-of-guest");
  expect((await failureOf(refused.jobTokenScope.get("acme/web"))).code).toMatch(/^(forbidden|not_found)$/);
  const unknown = await failureOf(setting.admin.jobTokenScope.get("acme/none"));
  expect(unknown).toMatchObject({ code: "not_found", serviceMessage: "404 Project Not Found" });
  const token = await failureOf(setting.as("no-such-token").jobTokenScope.get("acme/web"));
  expect(token).toMatchObject({ code: "unauthorized", status: 401 });
});

test("an unknown argument is refused before it is sent", async () => {
  setting.service.requests.reset();
  const enabled = "yes" as unknown as boolean;
  const error = await failureOf(setting.admin.jobTokenScope.update(201, { enabled }));
  expect(error).toMatchObject({ name: "ArgumentError", code: "invalid_argument" });
  expect(error.message).toContain('enabled should be boolean, but it is "yes"');
  expect(setting.service.requests.all).toEqual([]);
});
