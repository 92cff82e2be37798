import { createProvider } from "../../src/provider";
import { loseAnswer, loseRequest, type Write } from "./support/faults";
import { Host } from "./support/host";
import { SAMPLES } from "./support/samples";
import { TOKEN, useWorld } from "./support/world";

// A write was sent and its answer lost: it may have been done. Nothing is done twice, nothing is lost.

const world = useWorld();
const scope = "/projects/:id/job_token_scope";
const environments = "/projects/:id/protected_environments";
const rules = "/projects/:id/registry/protection/repository/rules";
const pages = "/projects/:id/pages";
const invitation = (path: string): Record<"create" | "update" | "destroy", Write> => ({
  create: { method: "POST", route: `${path}/:id/invitations` },
  update: { method: "PUT", route: `${path}/:id/invitations/:email` },
  destroy: { method: "DELETE", route: `${path}/:id/invitations/:email` },
});

const WRITES: Readonly<Record<string, { create: Write; update?: Write; destroy?: Write }>> = {
  steward_container_protection_rule: {
    create: { method: "POST", route: rules },
    update: { method: "PATCH", route: `${rules}/:protection_rule_id` },
    destroy: { method: "DELETE", route: `${rules}/:protection_rule_id` },
  },
  steward_pages_settings: {
    create: { method: "PATCH", route: pages },
    update: { method: "PATCH", route: pages },
    destroy: { method: "DELETE", route: pages },
  },
  steward_group_invitation: invitation("/groups"),
  steward_project_invitation: invitation("/projects"),
  steward_job_token_scope: {
    create: { method: "PATCH", route: scope },
    update: { method: "PATCH", route: scope },
  },
  steward_job_token_allowlist: {
    create: { method: "POST", route: `${scope}/allowlist` },
    update: { method: "DELETE", route: `${scope}/allowlist/:target_project_id` },
    destroy: { method: "DELETE", route: `${scope}/groups_allowlist/:target_group_id` },
  },
  steward_job_token_allowlist_group: {
    create: { method: "POST", route: `${scope}/groups_allowlist` },
    destroy: { method: "DELETE", route: `${scope}/groups_allowlist/:target_group_id` },
  },
  steward_job_token_allowlist_project: {
    create: { method: "POST", route: `${scope}/allowlist` },
    destroy: { method: "DELETE", route: `${scope}/allowlist/:target_project_id` },
  },
  steward_protected_environment: {
    create: { method: "POST", route: environments },
    update: { method: "PUT", route: `${environments}/:name` },
    destroy: { method: "DELETE", route: `${environments}/:name` },
  },
};

const count = ({ method, route }: Write) => world().service.requests.count(method, route);

describe.each(Object.keys(WRITES))("%s", (type) => {
  const { config, variations, expectGone } = SAMPLES[type]!;
  const { create, update, destroy } = WRITES[type]!;
  const host = () => new Host(world(), type);
  const { attributes } = createProvider().schema.resources[type]!;
  const changed = {
    ...config,
    ...Object.fromEntries(
      Object.entries(variations).filter(([name]) => attributes[name]!.text.replaces !== true),
    ),
  };

  test.each([
    ["the answer to", loseAnswer],
    ["the request for", loseRequest],
  ])("%s a create is lost: it is looked for, and taken or sent again", async (_, lose) => {
    lose(world(), create);
    const state = await host().bring(undefined, config);
    expect(await host().drift(state, config)).toEqual([]);
  });

  test("a create that the service did is not sent again", async () => {
    const plan = await host().plan(undefined, config);
    loseAnswer(world(), create);
    await host().apply(plan);
    expect(count(create)).toBe(type === "steward_job_token_allowlist" ? 2 : 1);
  });

  test("a create that is lost each time ends with an error, and the state says what exists", async () => {
    loseRequest(world(), create, 100);
    const { state, diagnostics } = await host().apply(await host().plan(undefined, config));
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["lost_answer"]));
    expect(count(create)).toBe(type === "steward_job_token_allowlist" ? 6 : 3);
    world().service.faults.clear();
    const exists = await world()
      .connect()
      .importResource({ type, id: idOf(type) });
    if (exists.state === undefined) expect(state).toBeUndefined();
    else expect((await host().refresh(state!))!.attributes).toEqual(state!.attributes);
  });

  if (type !== "steward_job_token_scope") {
    test("when looking fails as well, the error gives the import command", async () => {
      const plan = await host().plan(undefined, config);
      loseAnswer(world(), create);
      world().service.faults.add({ method: "GET", status: 500, always: true, skip: readsBeforeCreate(type) });
      const { diagnostics } = await host().apply(plan);
      expect(diagnostics.map(({ code }) => code)).toEqual(["lost_answer", "service_failed"]);
      expect(diagnostics[0]!.command).toEqual({
        name: "steward import",
        args: [expect.stringMatching(/^1/)],
      });
    });
  }

  if (update !== undefined) {
    test.each([
      ["the answer to", loseAnswer],
      ["the request for", loseRequest],
    ])("%s an update is lost: only what is missing is sent again", async (_, lose) => {
      const state = await host().bring(undefined, config);
      lose(world(), update);
      const after = await host().bring(state, changed);
      expect(after.attributes["id"]).toBe(state.attributes["id"]);
      expect(await host().drift(after, changed)).toEqual([]);
    });

    test("an update that is lost each time is an error, and the state says what exists", async () => {
      const state = await host().bring(undefined, config);
      const plan = await host().plan(state, changed);
      loseRequest(world(), update, 100);
      const answer = await host().apply(plan);
      expect(answer.diagnostics.map(({ code }) => code)).toContain("lost_answer");
      world().service.faults.clear();
      expect((await host().refresh(answer.state!))!.attributes).toEqual(answer.state!.attributes);
    });
  }

  if (destroy !== undefined) {
    test.each([
      ["the answer to", loseAnswer],
      ["the request for", loseRequest],
    ])("%s a destroy is lost: in the end it is gone", async (_, lose) => {
      const state = await host().bring(undefined, config);
      lose(world(), destroy);
      expect(await host().destroy(state)).toEqual({ diagnostics: [] });
      await expectGone(world().http);
    });

    test("a destroy that is refused says so, and the state says what is left", async () => {
      const state = await host().bring(undefined, config);
      world().service.faults.add({ ...destroy, status: 500, always: true });
      const answer = await host().destroy(state);
      expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "service_failed" }]);
      world().service.faults.clear();
      expect(await host().refresh(answer.state!)).toEqual(answer.state);
    });
  }
});

const idOf = (type: string): string =>
  ({
    steward_container_protection_rule: "1:1",
    steward_job_token_allowlist_group: "1:12",
    steward_group_invitation: "12:ada+reviews@example.com",
    steward_job_token_allowlist_project: "1:2",
    steward_project_invitation: "1:ada+reviews@example.com",
    steward_protected_environment: "1:production",
  })[type] ?? "1";

/** The allowlist looks before it writes: its two lists pass. */
const readsBeforeCreate = (type: string): number => (type === "steward_job_token_allowlist" ? 2 : 0);

describe("what is there after a lost answer", () => {
  test("but does not match was made by somebody else: it is not taken", async () => {
    const host = new Host(world(), "steward_protected_environment");
    const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
    const plan = await host.plan(undefined, config);
    await host.bring(undefined, { ...config, deploy_access_levels: [{ access_level: 60 }] });
    loseRequest(world(), { method: "POST", route: environments });
    const { state, diagnostics } = await host.apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "already_exists" }]);
  });

  test("a protected environment's update is never sent twice: what came through is seen", async () => {
    const host = new Host(world(), "steward_protected_environment");
    const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
    const state = await host.bring(undefined, config);
    const more = { ...config, deploy_access_levels: [{ access_level: 40 }, { user: "devon" }] };
    const plan = await host.plan(state, more);
    loseAnswer(world(), { method: "PUT", route: `${environments}/:name` });
    await host.apply(plan);
    expect(count({ method: "PUT", route: `${environments}/:name` })).toBe(1);
    const live = (await world().http("GET", "/projects/1/protected_environments/production")) as {
      deploy_access_levels: unknown[];
    };
    expect(live.deploy_access_levels).toHaveLength(2);
  });
});

describe("a set of which a part could be written", () => {
  const allowlist = () => new Host(world(), "steward_job_token_allowlist");
  const route = `${scope}/allowlist`;

  test("is kept in the state with what exists, and the error is told", async () => {
    const plan = await allowlist().plan(undefined, { project: "1", target_projects: ["2", "3", "999"] });
    const { state, diagnostics } = await allowlist().apply(plan);
    expect(state!.attributes).toMatchObject({ id: "1", target_projects: ["2", "3"], target_groups: null });
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "not_found", attribute: ["target_projects", 2] },
    ]);
  });

  test("is in the state also where it was managed for the first time by an update", async () => {
    const state = await allowlist().bring(undefined, { project: "1", target_groups: [] });
    const answer = await allowlist().apply(
      await allowlist().plan(state, { project: "1", target_groups: [], target_projects: ["2", "999"] }),
    );
    expect(answer.state!.attributes).toMatchObject({ target_projects: ["2"], target_groups: [] });
    expect(answer.diagnostics).toMatchObject([{ severity: "error", code: "not_found" }]);
  });

  test("tells every failure, not the first alone", async () => {
    world().service.faults.add({ method: "POST", route, status: 500 });
    const plan = await allowlist().plan(undefined, { project: "1", target_projects: ["2", "999"] });
    const { diagnostics } = await allowlist().apply(plan);
    expect(diagnostics.map(({ code }) => code).sort()).toEqual(["not_found", "service_failed"]);
  });

  test("of which nothing could be written has no state: what was there before is nobody's", async () => {
    await world().http("POST", "/projects/1/job_token_scope/allowlist", { target_project_id: 4 });
    const plan = await allowlist().plan(undefined, { project: "1", target_projects: ["2"] });
    const reader = new Host(world(), "steward_job_token_allowlist", TOKEN.readOnly);
    const { state, diagnostics } = await reader.apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "insufficient_scope" }]);
  });
});

describe("what changes between plan and apply", () => {
  const config = { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] };
  const more = { ...config, deploy_access_levels: [{ access_level: 60 }] };
  const host = () => new Host(world(), "steward_protected_environment");
  const addRule = () =>
    world().http("PUT", "/projects/1/protected_environments/production", {
      approval_rules: [{ user_id: 22 }],
    });

  test("and nobody declared comes back as planned, and the next read shows it", async () => {
    const state = await host().bring(undefined, config);
    const plan = await host().plan(state, more);
    await addRule();
    const { state: after, diagnostics } = await host().apply(plan);
    expect(diagnostics).toEqual([]);
    expect(after!.attributes["approval_rules"]).toEqual([]);
    expect((await host().refresh(after!))!.attributes["approval_rules"]).toMatchObject([{ user: "devon" }]);
  });

  test("loses no state because its path can't be looked up any more", async () => {
    const state = await host().bring(undefined, config);
    const plan = await host().plan(state, more);
    await addRule();
    world().service.faults.add({ method: "GET", route: "/users/:id", status: 500, always: true });
    const { state: after, diagnostics } = await host().apply(plan);
    expect(diagnostics).toEqual([]);
    expect(after!.attributes["deploy_access_levels"]).toMatchObject([{ access_level: 60 }]);
  });

  test("and went away meanwhile is made anew", async () => {
    const state = await host().bring(undefined, config);
    const plan = await host().plan(state, more);
    await world().http("DELETE", "/projects/1/protected_environments/production");
    const { state: after } = await host().apply(plan);
    expect(await host().drift(after!, more)).toEqual([]);
  });
});
