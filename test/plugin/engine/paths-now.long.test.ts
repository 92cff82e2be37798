import { GROUP, PROJECT, startWorld, USER, type World } from "../../provider/support/world";
import { describeWith } from "../../support/capabilities";
import { ReattachedWorkspace } from "../support/reattached-workspace";

jest.setTimeout(180_000);

describeWith("engine", "declared paths that mean something else now", (engine) => {
  let world: World;
  let workspace: ReattachedWorkspace;
  beforeAll(async () => {
    world = await startWorld();
    workspace = await ReattachedWorkspace.open(engine, [world.provider]);
  });
  afterAll(async () => {
    await workspace.close();
    await world.close();
  });
  const admin = (method: string, path: string, body?: object) =>
    world.http(method, path, body, world.service.adminToken) as Promise<{ readonly id: number }>;
  const write = (project: string, user = "devon") =>
    workspace.write(
      "main.tf.json",
      JSON.stringify({
        provider: { steward: { base_url: world.service.url, token: world.service.adminToken } },
        resource: {
          steward_protected_environment: {
            production: { project, name: "production", deploy_access_levels: [{ user }] },
            staging: { project, name: "staging", deploy_access_levels: [{ access_level: 40 }] },
          },
        },
      }),
    );
  const refused = async () => {
    const { code, output } = await workspace.run(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    return output.replace(/[\s│]+/g, " ");
  };
  const live = (project: number) => admin("GET", `/projects/${project}/protected_environments/production`);

  test("if another project took the declared path, apply fails and does not change that project", async () => {
    write("acme/web");
    await workspace.apply();
    expect((await workspace.plan()).changes).toBe(false);

    await admin("PUT", `/projects/${PROJECT.web}`, { path: "web-old" });
    const moved = await workspace.plan();
    expect(moved.changes).toBe(false);
    expect(moved.output.split("A project has moved").length - 1).toBe(1);

    const { id } = await admin("POST", "/projects", { path: "web", namespace_id: GROUP.acme });
    expect(await refused()).toContain("A path now belongs to another project");
    await expect(live(id)).rejects.toThrow("404");

    write(String(PROJECT.web));
    expect((await workspace.plan()).changes).toBe(false);
    write("acme/web-old");
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("if another user takes a declared username, apply fails", async () => {
    await admin("PUT", `/users/${USER.devon}`, { username: "devona" });
    const renamed = await workspace.plan();
    expect(renamed.changes).toBe(false);
    expect(renamed.output).toContain("A user has moved");
    await admin("POST", "/users", { username: "devon", name: "Stranger", email: "another@example.com" });
    expect(await refused()).toContain("A path now belongs to another user");
    write("acme/web-old", "devona");
    expect((await workspace.plan()).changes).toBe(false);
  });

  test("after an apply with a project's numeric id, the declaration of the project's path causes no change", async () => {
    const { id } = await admin("GET", "/projects/acme%2Fweb");
    await admin("POST", `/projects/${id}/members`, { user_id: USER.devon, access_level: 30 });
    write(String(id), "devona");
    await workspace.apply();
    await expect(live(PROJECT.web)).rejects.toThrow("404");
    write("acme/web", "devona");
    expect((await workspace.plan()).changes).toBe(false);
    await workspace.succeed("destroy", "-auto-approve");
    await expect(live(id)).rejects.toThrow("404");
  });
});
