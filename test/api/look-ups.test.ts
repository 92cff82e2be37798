import { createClient } from "../../src/api";
import { failureOf } from "./support/failure-of";
import { type Setting, startSetting } from "./support/service";

let setting: Setting;
beforeAll(async () => {
  setting = await startSetting();
});
afterAll(() => setting.close());

const namesOf = async <Item>(list: AsyncIterable<Item>, name: (item: Item) => string) => {
  const names: string[] = [];
  for await (const item of list) names.push(name(item));
  return names.sort();
};

describe("users", () => {
  test("the token's own user, by id and by name", async () => {
    const { users } = setting.as("token-of-ann");
    expect(await users.current()).toMatchObject({ id: 11, username: "ann", name: "Ann" });
    expect((await setting.admin.users.current()).is_admin).toBe(true);
    expect(await users.get(12)).toMatchObject({ username: "bob" });
    expect(await users.byUsername("BOB")).toMatchObject({ id: 12 });
    expect(await users.byUsername("nobody")).toBeUndefined();
  });

  test("users are listed by keyset", async () => {
    const names = await namesOf(setting.admin.users.list(), ({ username }) => username);
    expect(names).toEqual(expect.arrayContaining(["ann", "bob", "eve", "guest", "max"]));
  });
});

describe("projects", () => {
  test("by id, by path and by a former path", async () => {
    const found = await setting.admin.projects.get(201);
    expect(found).toMatchObject({
      path_with_namespace: "acme/web",
      default_branch: "main",
      archived: false,
      topics: ["frontend"],
      namespace: { id: 101, full_path: "acme" },
    });
    expect(await setting.admin.projects.get("acme/web")).toEqual(found);
    expect(await setting.admin.projects.get("acme/old-web")).toEqual(found);
  });

  test("show the groups that a single one is shared with", async () => {
    expect((await setting.admin.projects.get(201)).shared_with_groups).toEqual([
      {
        group_id: 102,
        group_name: "tools",
        group_full_path: "acme/tools",
        group_access_level: 30,
        expires_at: null,
      },
    ]);
    expect((await setting.admin.projects.get(202)).shared_with_groups).toEqual([]);
    expect((await setting.admin.groups.get("acme")).shared_with_groups).toEqual([]);
  });

  test("projects have environments, protected or not", async () => {
    const name = ({ name }: { name: string }) => name;
    expect(await namesOf(setting.admin.environments.list("acme/web"), name)).toEqual([
      "production",
      "review/feature-1",
    ]);
  });

  test("projects are listed by keyset, without a token the public ones alone", async () => {
    const path = ({ path_with_namespace }: { path_with_namespace: string }) => path_with_namespace;
    const all = ["acme/api", "acme/tools/cli", "acme/web"];
    expect(await namesOf(setting.admin.projects.list(), path)).toEqual(all);
    expect(await namesOf(setting.admin.projects.list({ archived: true }), path)).toEqual(["acme/api"]);
    const anonymous = createClient({ baseUrl: setting.service.url, anonymous: true, env: {} });
    expect(await namesOf(anonymous.projects.list(), path)).toEqual(["acme/tools/cli"]);
  });

  test("return the caller's own access", async () => {
    expect(await setting.as("token-of-guest").projects.permissions("acme/web")).toEqual({
      project_access_level: 10,
      group_access_level: null,
    });
    expect(await setting.as("token-of-ann").projects.permissions("acme/api")).toEqual({
      project_access_level: null,
      group_access_level: 50,
    });
  });
});

describe("groups", () => {
  test("by id and path, and in a list", async () => {
    const found = await setting.admin.groups.get("acme/tools");
    expect(found).toMatchObject({ id: 102, full_path: "acme/tools", parent_id: 101 });
    expect(await setting.admin.groups.get(102)).toEqual(found);
    expect(await namesOf(setting.admin.groups.list(), ({ full_path }) => full_path)).toEqual([
      "acme",
      "acme/tools",
    ]);
  });

  test.each([
    [{}, ["acme/api", "acme/web"]],
    [{ include_subgroups: true }, ["acme/api", "acme/tools/cli", "acme/web"]],
    [{ archived: false }, ["acme/web"]],
    [{ topic: "frontend" }, ["acme/web"]],
    [{ search: "we" }, ["acme/web"]],
  ])("groups have projects, filtered by %j", async (filter, names) => {
    const list = setting.admin.groups.projects("acme", filter);
    expect(await namesOf(list, ({ path_with_namespace }) => path_with_namespace)).toEqual(names);
  });
});

describe("members", () => {
  const username = (member: { username: string }) => member.username;

  test("members of a project are listed with and without those of groups above", async () => {
    const { members } = setting.admin;
    expect(await namesOf(members.ofProject("acme/web"), username)).toEqual(["bob", "guest"]);
    expect(await namesOf(members.ofProject(201, { query: "bob" }), username)).toEqual(["bob"]);
    expect(await namesOf(members.allOfProject(201), username)).toEqual(
      expect.arrayContaining(["ann", "bob", "eve", "guest"]),
    );
    expect(await members.inProject(201, 11)).toMatchObject({ username: "ann", access_level: 50 });
    expect((await failureOf(members.inProject(201, 15))).code).toBe("not_found");
  });

  test("members of a group are listed with and without those of groups above", async () => {
    const { members } = setting.admin;
    const [bob, ...others] = await members.ofGroup("acme/tools").toArray();
    expect(others).toEqual([]);
    expect(bob).toMatchObject({
      id: 12,
      access_level: 40,
      expires_at: expect.stringContaining("2099-01-31"),
    });
    expect(await namesOf(members.allOfGroup(102), username)).toEqual(["ann", "bob", "eve"]);
    expect(await members.inGroup(102, 14)).toMatchObject({ username: "eve", access_level: 30 });
  });
});
