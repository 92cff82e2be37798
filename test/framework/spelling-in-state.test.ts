import { formatPath } from "../../src/diagnostics";
import type { StoredState } from "../../src/framework/protocol/protocol";
import type { ValueObject } from "../../src/schema";
import { Host } from "../provider/support/host";
import { GROUP, PROJECT, USER, useWorld } from "../provider/support/world";
import { pathOf } from "../support/path-of";

// An id and a path can refer to the same object. The tests check that another spelling of the same object is not a
// change, and needs no second request.

const world = useWorld();
const host = (type: string) => new Host(world(), type);
const allowlist = () => host("steward_job_token_allowlist");
const rename = (path: string) => world().http("PUT", `/projects/${PROJECT.tools}`, { path });
const requests = () =>
  world().service.requests.all.map(({ method, url }) => `${method} ${url.slice("/api/v4".length)}`);

/** Refreshes and plans after a path has moved. Returns the diagnostics. */
async function movedIn(state: StoredState, given: ValueObject): Promise<string[]> {
  const run = world().connect();
  const live = await allowlist().refresh(state, run);
  const { action, diagnostics } = await allowlist().plan(live, given, run);
  expect(action).toBe("none");
  return diagnostics.map(({ severity, code, attribute }) => `${severity} ${code} ${formatPath(attribute!)}`);
}

const byPath = {
  project: "acme/web",
  target_projects: ["acme/tools", "acme/docs"],
  target_groups: ["acme/platform"],
};
const byId = { project: "1", target_projects: ["4", "2"], target_groups: [String(GROUP.platform)] };

describe("equal values in another spelling", () => {
  test.each([
    ["paths, then ids", byPath, byId],
    ["ids, then paths", byId, byPath],
    [
      "paths, then another case",
      byPath,
      { ...byPath, project: "Acme/Web", target_projects: ["ACME/tools", "acme/Docs"] },
    ],
  ])("if only the spelling of values changes, the plan has no change: %s", async (_, first, second) => {
    const state = await allowlist().bring(undefined, first);
    const plan = await allowlist().plan(await allowlist().refresh(state), second);
    expect(plan.action).toBe("none");
    expect(plan.planned!.attributes).toEqual(state.attributes);
  });

  test("if a declared set has a new element, the plan contains all elements in the declared spelling", async () => {
    const state = await allowlist().bring(undefined, byPath);
    const target_projects = ["2", "acme/docs", "acme/runner"];
    const plan = await allowlist().plan(state, { ...byPath, target_projects });
    expect(plan.changed).toEqual(["target_projects"]);
    expect(plan.planned!.attributes["target_projects"]).toEqual(target_projects);
    const { state: after } = await allowlist().apply(plan);
    expect(after!.attributes["target_projects"]).toEqual(target_projects);
  });

  test("if ids replace the usernames and paths in an environment's declaration, the plan contains no change", async () => {
    const environment = host("steward_protected_environment");
    const named = {
      project: "acme/web",
      name: "production",
      deploy_access_levels: [{ user: "devon" }, { group: "acme/approvers" }],
      approval_rules: [],
    };
    const numbered = {
      ...named,
      deploy_access_levels: [{ group: String(GROUP.approvers) }, { user: String(USER.devon) }],
    };
    const state = await environment.bring(undefined, named);
    expect((await environment.plan(state, numbered)).action).toBe("none");
    expect(
      (
        await environment.plan(state, {
          ...named,
          deploy_access_levels: [{ user: "Devon" }, { group: "Acme/Approvers" }],
        })
      ).action,
    ).toBe("none");
  });
});

describe("reading an object", () => {
  test("a read returns a new allowlist entry by its full path, and other entries in the state's spelling", async () => {
    const state = await allowlist().bring(undefined, { ...byId, target_projects: ["2"] });
    await world().http("POST", `/projects/1/job_token_scope/allowlist`, {
      target_project_id: PROJECT.runner,
    });
    const live = await allowlist().refresh(state);
    expect(live!.attributes["target_projects"]).toEqual(["2", "acme/runner"]);
    expect(live!.attributes["project"]).toBe("1");
  });

  test("a read returns an undeclared user by username, not by id", async () => {
    const environment = host("steward_protected_environment");
    const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
    const state = await environment.bring(undefined, config);
    await world().http("PUT", "/projects/1/protected_environments/production", {
      approval_rules: [{ user_id: USER.devon }],
    });
    const live = await environment.refresh(state);
    expect(live!.attributes["approval_rules"]).toMatchObject([{ user: "devon", group: null }]);
  });

  test("if the service returns allowlist entries in another order, a read returns them in the state's order", async () => {
    const state = await allowlist().bring(undefined, {
      ...byPath,
      target_projects: ["acme/runner", "acme/tools"],
    });
    expect(await allowlist().refresh(state)).toEqual(state);
  });
});

describe("the meaning of a path is remembered", () => {
  test("after the create of an allowlist, the next plan looks up the path of a new entry only", async () => {
    const state = await allowlist().bring(undefined, byPath);
    world().service.requests.reset();
    expect(await allowlist().drift(state, byPath)).toEqual([]);
    // Only the path of the container needs a request, because the lists contain the paths of their entries.
    expect(requests().filter((one) => !one.includes("allowlist"))).toEqual(["GET /projects/acme%2Fweb"]);
    world().service.requests.reset();
    await allowlist().plan(state, { ...byPath, target_projects: ["acme/tools", "acme/docs", "acme/runner"] });
    expect(requests().filter((one) => !one.includes("allowlist"))).toEqual([
      "GET /projects/acme%2Frunner",
      // The plan checks whether the project is archived, because a value changes.
      "GET /projects/1",
    ]);
  });

  test("if an allowlist declares a project's old path after a rename, the plan gives a warning", async () => {
    const state = await allowlist().bring(undefined, byPath);
    await rename("instruments");
    expect(await movedIn(state, byPath)).toEqual(['warning reference_moved target_projects["acme/tools"]']);
    expect(
      await allowlist().drift(state, { ...byPath, target_projects: ["acme/instruments", "acme/docs"] }),
    ).toEqual([]);
  });

  test("if the state has no readable private data, the plan still warns about a renamed project's old path", async () => {
    const { attributes } = await allowlist().bring(undefined, byPath);
    await rename("instruments");
    for (const private_ of [undefined, "bm90IGpzb24="])
      expect(await movedIn({ attributes, private: private_ }, byPath)).toEqual([
        'warning reference_moved target_projects["acme/tools"]',
      ]);
  });

  test("if another project takes a declared path, the plan of the declaration fails", async () => {
    const scope = host("steward_job_token_scope");
    const config = { project: "acme/tools", inbound_enabled: true };
    const state = await scope.bring(undefined, config);
    await rename("instruments");
    await world().http("POST", "/projects", { path: "tools", namespace_id: GROUP.acme });
    for (const private_ of [state.private, undefined]) {
      const run = world().connect();
      const before = { attributes: state.attributes, private: private_ };
      world().service.requests.reset();
      expect((await scope.read(before, run)).state?.attributes).toEqual(state.attributes);
      expect(requests().sort()).toEqual([
        "GET /projects/2",
        "GET /projects/2/job_token_scope",
        "GET /projects/acme%2Ftools",
      ]);
      const plan = await scope.plan(before, config, run);
      expect(plan.diagnostics).toMatchObject([
        { severity: "error", code: "reference_taken", attribute: ["project"] },
      ]);
      expect(plan.diagnostics[0]!.detail).toMatch(
        /belonged to project 2, whose path is now "acme\/instruments"/,
      );
      expect(await scope.plan(before, { ...config, project: "2" }, run)).toMatchObject({ action: "none" });
    }
  });

  test("if an allowlist declares a moved project's old path, apply adds the moved project", async () => {
    const plan = await allowlist().plan(undefined, { ...byPath, target_projects: ["acme/handbook"] });
    expect(plan.diagnostics).toMatchObject([
      { severity: "warning", code: "reference_moved", attribute: pathOf('target_projects["acme/handbook"]') },
    ]);
    expect(plan.diagnostics[0]!.detail).toContain('now "acme/docs"');
    const { state } = await allowlist().apply(plan);
    expect(state!.attributes["target_projects"]).toEqual(["acme/handbook"]);
    expect(await movedIn(state!, { ...byPath, target_projects: ["acme/handbook"] })).toEqual([
      'warning reference_moved target_projects["acme/handbook"]',
    ]);
  });

  test("if an entry's target project was deleted, the declaration of another target project replaces the entry", async () => {
    const entry = host("steward_job_token_allowlist_project");
    const { attributes } = await entry.bring(undefined, { project: "1", target_project: "acme/runner" });
    await world().http("DELETE", `/projects/${PROJECT.runner}`);
    const plan = await entry.plan({ attributes }, { project: "1", target_project: "acme/tools" });
    expect(plan.requiresReplace).toEqual([["target_project"]]);
  });

  test("if the look-up of an entry's earlier target project fails, the plan fails instead of replacing the entry", async () => {
    const entry = host("steward_job_token_allowlist_project");
    const { attributes } = await entry.bring(undefined, { project: "1", target_project: "acme/runner" });
    world().service.faults.add({ method: "GET", route: "/projects/:id", status: 500, skip: 1, always: true });
    const plan = await entry.plan({ attributes }, { project: "1", target_project: "acme/tools" });
    expect(plan.requiresReplace).toEqual([]);
    expect(plan.diagnostics).toMatchObject([{ severity: "error", code: "service_failed" }]);
  });
});

describe("another project under the name", () => {
  test("if `project` changes to another project's path, the plan replaces the object", async () => {
    const scope = host("steward_job_token_scope");
    const state = await scope.bring(undefined, { project: "acme/web", inbound_enabled: true });
    const plan = await scope.plan(state, { project: "acme/tools", inbound_enabled: true });
    expect(plan.requiresReplace).toEqual([["project"]]);
    expect(plan.diagnostics).toMatchObject([
      { severity: "warning", code: "reference_changed", attribute: ["project"] },
    ]);
    expect(plan.diagnostics[0]!.detail).toMatch(/project "acme\/tools" \(2\).*belongs to "acme\/web"/);
  });
});
