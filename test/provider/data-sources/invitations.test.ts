import { listed, readData } from "../support/data-sources";
import { FIXTURE, GROUP, PROJECT, TOKEN, useWorld } from "../support/world";

const invitations = [
  { email: "ada+x@example.com", role: "developer", expires_at: "2099-12-31", created_by: "maya" },
  { email: "bob@example.com", role: "guest" },
] as const;
const world = useWorld({
  ...FIXTURE,
  groups: FIXTURE.groups!.map((group) =>
    group.path === "acme/platform" ? { ...group, invitations: [...invitations] } : group,
  ),
  projects: [{ path: "acme/web", id: PROJECT.web, invitations: [...invitations] }],
});

describe.each([
  ["steward_project_invitations", "project", "acme/web", `/projects/${PROJECT.web}/invitations`],
  ["steward_group_invitations", "group", "acme/platform", `/groups/${GROUP.platform}/invitations`],
])("%s", (type, kind, path, at) => {
  test("shows every field, under the API's own names", async () => {
    const list = await listed(world(), type, "invitations", { [kind]: path });
    expect(list).toEqual(await world().http("GET", at));
    expect(list[0]).toEqual({
      id: expect.any(Number) as number,
      invite_email: "ada+x@example.com",
      created_at: expect.any(String) as string,
      access_level: 30,
      expires_at: "2099-12-31T00:00:00.000Z",
      user_name: null,
      created_by_name: "maya",
    });
    expect(list).toHaveLength(2);
  });

  test("query is one address", async () => {
    const list = await listed(world(), type, "invitations", { [kind]: path, query: "ada+x@example.com" });
    expect(list).toMatchObject([{ invite_email: "ada+x@example.com" }]);
    expect(await listed(world(), type, "invitations", { [kind]: path, query: "ada" })).toEqual([]);
  });

  test("what is not there is an error with the attribute", async () => {
    expect(await readData(world(), type, { [kind]: "acme/nowhere" })).toMatchObject({
      diagnostics: [{ severity: "error", code: "reference_not_found", attribute: [kind] }],
    });
    expect(await readData(world(), type, { [kind]: path }, TOKEN.outsider)).toMatchObject({
      diagnostics: [{ severity: "error", code: "reference_not_found", attribute: [kind] }],
    });
  });
});
