// Calls every endpoint once with Gitbeaker, a client that is not part of this project. The service must support the way
// in which Gitbeaker sends requests.
import { Gitlab } from "@gitbeaker/rest";
import { type Service, startService } from "cdktf-provider-steward/testing";
import { company } from "../company";

let service: Service;
let api: InstanceType<typeof Gitlab<false>>;
beforeAll(async () => {
  const fixture = company();
  fixture.projects![1]!.pages = { deployments: [{}] };
  fixture.users!.push({ username: "ada", id: 31, enterprise_group: "acme", two_factor_enabled: true });
  service = await startService({ fixture });
  api = new Gitlab({ host: service.url, token: service.adminToken });
});
afterAll(() => service.close());

const emails = (entries: readonly object[]) =>
  entries.map((entry) => (entry as { invite_email: string }).invite_email);

/**
 * Returns the client's transport. With the transport, tests send requests to paths for which the client has no method.
 */
const transport = () => api.Users.requester;

describe("the embedded service with the client @gitbeaker/rest", () => {
  test("gitbeaker reads the current user and the settings of the instance", async () => {
    expect(await api.Users.showCurrentUser()).toMatchObject({ username: "root" });
    const bearer = new Gitlab({ host: service.url, oauthToken: service.adminToken });
    expect(await bearer.Users.showCurrentUser()).toMatchObject({ username: "root" });
    expect(await api.Metadata.show()).toMatchObject({ enterprise: true });
    expect((await transport().get("version")).body).toMatchObject({ revision: expect.any(String) });
    await api.ApplicationSettings.edit({ enable_member_promotion_management: false } as object);
    expect(await api.ApplicationSettings.show()).toMatchObject({ enable_member_promotion_management: false });
  });

  test("gitbeaker changes the job token scope and both allowlists", async () => {
    const scopes = api.ProjectJobTokenScopes;
    await scopes.edit("acme/web", false);
    expect(await scopes.show("acme/web")).toEqual({ inbound_enabled: false, outbound_enabled: false });
    expect(await scopes.addToInboundAllowList(1, 2)).toEqual({ source_project_id: 1, target_project_id: 2 });
    expect(await scopes.showInboundAllowList(1)).toMatchObject([{ id: 1 }, { id: 2 }]);
    await scopes.removeFromInboundAllowList(1, 2);
    await expect(scopes.removeFromInboundAllowList(1, 2)).rejects.toThrow();
    expect(await scopes.addToGroupsAllowList(1, 101)).toEqual({ source_project_id: 1, target_group_id: 101 });
    expect(await scopes.showGroupsAllowList(1)).toMatchObject([{ id: 101, name: "platform" }]);
    await scopes.removeFromGroupsAllowList(1, 101);
    expect(await scopes.showGroupsAllowList(1)).toEqual([]);
  });

  test("gitbeaker creates, changes, reads and deletes protected environments", async () => {
    const environments = api.ProjectProtectedEnvironments;
    const created = await environments.create(
      1,
      "production",
      [{ accessLevel: 40 }] as never,
      {
        approvalRules: [{ groupId: 102, requiredApprovals: 2 }],
      } as never,
    );
    expect(created).toMatchObject({ name: "production", approval_rules: [{ required_approvals: 2 }] });
    const [{ id }] = created.deploy_access_levels as unknown as [{ id: number }];
    const edited = await environments.edit(1, "production", {
      deployAccessLevels: [{ id, userId: 14 }],
    } as object);
    expect(edited).toMatchObject({ deploy_access_levels: [{ id, user_id: 14, access_level: null }] });
    expect(await environments.show(1, "production")).toEqual(edited);
    expect(await environments.all(1)).toEqual([edited]);
    await environments.remove(1, "production");
    expect(await environments.all(1)).toEqual([]);
  });

  test("gitbeaker changes the settings of Pages", async () => {
    expect(await api.GitlabPages.showSettings(2)).toMatchObject({ deployments: [{ path_prefix: "" }] });
    expect(await api.PagesDomains.create(2, "tools.example.com")).toMatchObject({
      domain: "tools.example.com",
    });
    const changed = await transport().patch("projects/2/pages", {
      body: { pages_primary_domain: "tools.example.com" },
    });
    expect(changed.body).toMatchObject({ primary_domain: "tools.example.com" });
    await api.GitlabPages.remove(2);
    expect(await api.GitlabPages.showSettings(2)).toMatchObject({ deployments: [] });
  });

  test("gitbeaker's path for CI templates and the path of the specification return the same list", async () => {
    const templates = await api.GitLabCIYMLTemplates.all();
    expect(templates).toContainEqual({ key: "Pages/Static", name: "Pages/Static" });
    expect(await api.GitLabCIYMLTemplates.show("Pages/Static")).toMatchObject({ name: "Pages/Static" });
    expect((await transport().get("templates/platform_ci_ymls")).body).toEqual(templates);
    expect((await transport().get("templates/platform_ci_ymls/Go")).body).toMatchObject({ name: "Go" });
  });

  test("gitbeaker creates, changes, reads and deletes container protection rules", async () => {
    const rules = "projects/1/registry/protection/repository/rules";
    const { body } = await transport().post(rules, {
      body: { repository_path_pattern: "acme/*", minimum_access_level_for_push: "owner" },
    });
    const { id } = body as unknown as { id: number };
    const level = { minimum_access_level_for_delete: "admin" };
    expect((await transport().patch(`${rules}/${id}`, { body: level })).body).toMatchObject(level);
    expect((await transport().get(rules)).body).toMatchObject([{ id, ...level }]);
    expect((await transport().delete(`${rules}/${id}`)).status).toBe(204);
  });

  test.each(["ProjectInvitations", "GroupInvitations"] as const)(
    "gitbeaker's %s adds, lists, changes and removes invitations",
    async (name) => {
      const invitations = api[name];
      const place = name === "ProjectInvitations" ? 3 : 101;
      expect(
        await invitations.add(place, 30, { email: "a+b@example.com", expiresAt: "2999-12-31" } as never),
      ).toEqual({
        status: "success",
      });
      expect(emails(await invitations.all(place))).toEqual(["a+b@example.com"]);
      expect(emails(await invitations.all(place, { query: "nobody@example.com" }))).toEqual([]);
      expect(await invitations.edit(place, "a+b@example.com", { accessLevel: 20 } as object)).toMatchObject({
        access_level: 20,
      });
      await invitations.remove(place, "a+b@example.com");
      expect(await invitations.all(place)).toEqual([]);
      expect(await invitations.add(place, 30, { userId: 21 } as never)).toEqual({ status: "success" });
    },
  );

  test("gitbeaker lists enterprise users", async () => {
    const { body } = await transport().get("groups/acme/enterprise_users", {
      searchParams: { two_factor: "enabled", active: "true" },
    });
    expect(body).toMatchObject([{ username: "ada" }]);
  });

  test("gitbeaker lists projects with offset pagination and with keyset pagination", async () => {
    const created = await api.Projects.create({ name: "Fresh", namespaceId: 100, topics: ["new"] });
    expect(created).toMatchObject({ path_with_namespace: "acme/fresh", topics: ["new"] });
    expect(await api.Projects.edit(created.id, { path: "fresher", archived: true } as object)).toMatchObject({
      path: "fresher",
      archived: true,
    });
    expect(await api.Projects.show("acme/fresher")).toMatchObject({ id: created.id });
    await api.Projects.remove(created.id);
    const all = [1, 2, 3, 4, 5, 6];
    const ids = (projects: readonly object[]) => projects.map((project) => (project as { id: number }).id);
    const byOffset = await api.Projects.all({ orderBy: "id", sort: "asc", perPage: 2 });
    expect(ids(byOffset)).toEqual(all);
    const byKeyset = await api.Projects.all({ pagination: "keyset", orderBy: "id", sort: "asc", perPage: 4 });
    expect(ids(byKeyset)).toEqual(all);
    const grouped = await api.Groups.allProjects(100, { includeSubgroups: true, archived: false });
    expect(ids(grouped).sort()).toEqual([1, 2, 3]);
    expect(await api.Projects.share(2, 102, 30)).toMatchObject({ group_access: 30 });
  });

  test("gitbeaker changes groups, members and environments", async () => {
    const group = await api.Groups.create("Fresh", "fresh", { parentId: 100 });
    expect(group).toMatchObject({ full_path: "acme/fresh", parent_id: 100 });
    expect(await api.Groups.show("acme/fresh")).toMatchObject({ id: group.id });
    expect(await api.Groups.all({ search: "fresh" })).toHaveLength(1);
    const members = api.GroupMembers;
    expect(await members.add(group.id, 20, { userId: 21 })).toMatchObject({ access_level: 20 });
    expect(await members.all(group.id)).toMatchObject([{ username: "outsider" }, { username: "root" }]);
    expect((await members.all(group.id, { includeInherited: true })).length).toBeGreaterThan(1);
    expect(await members.show(group.id, 15, { includeInherited: true })).toMatchObject({ access_level: 40 });
    await members.remove(group.id, 21);
    await api.Groups.remove(group.id);
    const environments = api.Environments;
    expect(await environments.create(1, "staging", { tier: "staging" } as object)).toMatchObject({
      tier: "staging",
    });
    expect(await environments.all(1, { name: "staging" })).toHaveLength(1);
    expect(await api.ProjectMembers.add(1, 20, { userId: 22 })).toMatchObject({ access_level: 20 });
    expect(await api.ProjectMembers.all(1)).toHaveLength(1);
    expect(await api.ProjectMembers.show(1, 22)).toMatchObject({ username: "contractor" });
    await api.ProjectMembers.remove(1, 22);
  });

  test("gitbeaker creates users and their tokens", async () => {
    const created = await api.Users.create({
      username: "ivy",
      name: "Ivy",
      email: "ivy@example.com",
      password: "not kept anywhere",
      provider: "group_saml",
      externUid: "ivy",
      groupIdForSaml: 100,
    } as object);
    expect(created).toMatchObject({ identities: [{ provider: "group_saml", extern_uid: "ivy" }] });
    expect(await api.Users.show(created.id)).toMatchObject({ username: "ivy" });
    expect(await api.Users.all({ username: "ivy" })).toHaveLength(1);
    const { body } = await transport().post(`users/${created.id}/personal_access_tokens`, {
      body: { name: "ci", scopes: ["read_api"] },
    });
    const { token } = body as unknown as { token: string };
    const hers = new Gitlab({ host: service.url, token });
    expect(await hers.Users.showCurrentUser()).toMatchObject({ username: "ivy" });
  });

  test("gitbeaker finds a moved project by its old path", async () => {
    expect(await api.Projects.show("acme/platform/old-images")).toMatchObject({ id: 3 });
  });
});
